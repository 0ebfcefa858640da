import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/* The store's side of Amazon's signatures, version 4: it works out the signature anew and compares. */

export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** A refusal in the store's words. */
export interface S3Refusal {
  status: number
  code: string
}

const skewMs = 15 * 60_000
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

const instantOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Checks a request over its path as received, its headers and its bytes; undefined when it is right. */
export function refusalOf(
  request: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer },
  keys: S3Keys,
  nowMs: number,
): S3Refusal | undefined {
  const { headers } = request
  const parts = authorizationPattern.exec(String(headers.authorization ?? ''))
  if (!parts) return { status: 403, code: 'AccessDenied' }
  const [, accessKeyId, day = '', region = '', signedNames = '', signature = ''] = parts
  if (accessKeyId !== keys.accessKeyId) return { status: 403, code: 'InvalidAccessKeyId' }
  if (region !== keys.region) return { status: 400, code: 'AuthorizationHeaderMalformed' }
  const date = String(headers['x-amz-date'] ?? '')
  if (!(Math.abs(nowMs - instantOf(date)) <= skewMs) || !date.startsWith(day))
    return { status: 403, code: 'RequestTimeTooSkewed' }
  const contentHash = String(headers['x-amz-content-sha256'] ?? '')
  if (contentHash !== sha256(request.body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' }
  const names = signedNames.split(';')
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (!mustBeSigned.every((name) => names.includes(name))) return { status: 403, code: 'AccessDenied' }
  const { pathname, searchParams } = new URL(request.url, 'http://store')
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&')
  const canonical = [
    request.method,
    pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signedNames,
    contentHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  )
  const expected = hmac(key, text)
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
    ? undefined
    : { status: 403, code: 'SignatureDoesNotMatch' }
}
