import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { clockToleranceSeconds, isSignedBy, openResource } from './wechat-signing.ts'
import { Certificates } from './wechat-wire.ts'

/*
 * WeChat's keys by serial, the older ones first. It changes certificates over days, so that signatures by the old and the
 * new come mixed; answers are asked for by the newest that it has signed with.
 */

/** An unknown serial, which any stranger can send, makes us ask WeChat no more often than this. */
const refreshPauseMs = 10_000

/** What proves where bytes are from: four headers and the bytes. */
export interface Proof {
  serial: string
  timestamp: string
  nonce: string
  signature: string
  body: Buffer
}

export interface WechatKeys {
  /** The serial answers are asked to be signed by. */
  preferred(): string | undefined
  /** The key of a serial; looks for new certificates when it is not known. */
  find(serial: string): Promise<KeyObject | undefined>
  /**
   * Whether WeChat signed an answer, within the five minutes that are allowed.
   * @param asked the serial it was asked to be signed by
   */
  isAuthentic(answer: Proof, now: Date, asked: string | undefined): Promise<boolean>
  /** Whether WeChat signed a notice, by a key that was found. */
  hasSigned(notice: Proof, key: KeyObject): boolean
}

/** @param fetchCertificates asks WeChat for its certificates, or answers undefined */
export function createWechatKeys(
  known: Record<string, string>,
  apiV3Key: string,
  fetchCertificates: () => Promise<Proof | undefined>,
): WechatKeys {
  const keys = new Map(Object.entries(known).map(([serial, pem]) => [serial, createPublicKey(pem)]))
  let preferred = [...keys.keys()][0]
  let refreshing: Promise<void> | undefined
  let refreshedAtMs = -Infinity

  const refresh = async (): Promise<void> => {
    const proof = await fetchCertificates()
    if (!proof) return
    const fetched = new Map<string, KeyObject>()
    const { data } = Certificates.parse(JSON.parse(proof.body.toString()))
    const ageOf = (certificate: (typeof data)[number]) => Date.parse(certificate.effective_time ?? '') || 0
    for (const { serial_no, encrypt_certificate } of data.toSorted((a, b) => ageOf(a) - ageOf(b))) {
      const certificate = new X509Certificate(openResource(apiV3Key, encrypt_certificate))
      fetched.set(serial_no, certificate.publicKey)
    }
    // Sealed with our APIv3 key, and signed by one of the keys it brings or that we had.
    const signer = fetched.get(proof.serial) ?? keys.get(proof.serial)
    if (!signer || !isFresh(proof.timestamp, new Date()) || !isSignedBy(signer, proof)) return
    for (const [serial, key] of fetched) keys.set(serial, key)
  }

  const isNewer = (serial: string): boolean => {
    const serials = [...keys.keys()]
    return preferred === undefined || serials.indexOf(serial) > serials.indexOf(preferred)
  }

  const find = async (serial: string): Promise<KeyObject | undefined> => {
    if (!keys.has(serial) && (refreshing || performance.now() - refreshedAtMs >= refreshPauseMs)) {
      refreshing ??= refresh()
        // The next one with an unknown serial asks again.
        .catch(() => undefined)
        .finally(() => {
          refreshing = undefined
          refreshedAtMs = performance.now()
        })
      await refreshing
    }
    return keys.get(serial)
  }

  return {
    preferred: () => preferred,
    find,
    async isAuthentic(proof, now, asked) {
      if (!isFresh(proof.timestamp, now)) return false
      const key = await find(proof.serial)
      if (!key || !isSignedBy(key, proof)) return false
      // Answers come by the key that was asked for, unless it is no more.
      if (proof.serial !== asked) preferred = proof.serial
      return true
    },
    hasSigned(notice, key) {
      if (!isSignedBy(key, notice)) return false
      if (isNewer(notice.serial)) preferred = notice.serial
      return true
    },
  }
}

/** Whether a moment in unix seconds is near enough to be believed. */
export const isFresh = (timestamp: string, now: Date): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) < clockToleranceSeconds
