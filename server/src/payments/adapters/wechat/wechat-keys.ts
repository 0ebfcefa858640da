import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { clockToleranceSeconds, isSignedBy, openResource } from './wechat-signing.ts'
import { Certificates } from './wechat-wire.ts'

/* WeChat's keys by serial. It changes certificates over days, so that signatures by the old and the new come mixed. */

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
  /** Whether WeChat signed it, within the five minutes that are allowed. */
  isAuthentic(proof: Proof, now: Date): Promise<boolean>
}

/** @param fetchCertificates asks WeChat for its certificates, or answers undefined */
export function createWechatKeys(
  known: Record<string, string>,
  apiV3Key: string,
  fetchCertificates: () => Promise<Proof | undefined>,
): WechatKeys {
  const keys = new Map(Object.entries(known).map(([serial, pem]) => [serial, createPublicKey(pem)]))
  let refreshing: Promise<void> | undefined
  let refreshedAtMs = -Infinity

  const refresh = async (): Promise<void> => {
    const proof = await fetchCertificates()
    if (!proof) return
    const fetched = new Map<string, KeyObject>()
    for (const { serial_no, encrypt_certificate } of Certificates.parse(JSON.parse(proof.body.toString()))
      .data) {
      const certificate = new X509Certificate(openResource(apiV3Key, encrypt_certificate))
      fetched.set(serial_no, certificate.publicKey)
    }
    // Sealed with our APIv3 key, and signed by one of the keys it brings or that we had.
    const signer = fetched.get(proof.serial) ?? keys.get(proof.serial)
    if (!signer || !isFresh(proof.timestamp, new Date()) || !isSignedBy(signer, proof)) return
    for (const [serial, key] of fetched) keys.set(serial, key)
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
    preferred: () => [...keys.keys()][0],
    find,
    async isAuthentic(proof, now) {
      if (!isFresh(proof.timestamp, now)) return false
      const key = await find(proof.serial)
      return key !== undefined && isSignedBy(key, proof)
    },
  }
}

/** Whether a moment in unix seconds is near enough to be believed. */
export const isFresh = (timestamp: string, now: Date): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) < clockToleranceSeconds
