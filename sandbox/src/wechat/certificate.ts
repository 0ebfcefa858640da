import { createSign, type KeyObject } from 'node:crypto'

/* A self-signed X.509 certificate in DER: node reads them and does not write them. */

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts)
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const sha256WithRsa = sequence(objectId('2a864886f70d01010b'), tagged(0x05))
const nameOf = (text: string) =>
  sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(text)))))
const timeOf = (date: Date) =>
  tagged(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))

/** A certificate of a key pair as PEM; `serial` is hex and begins with a digit below 8. */
export function selfSignedCertificate(certificate: {
  serial: string
  name: string
  privateKey: KeyObject
  publicKey: KeyObject
  from: Date
  until: Date
}): string {
  const name = nameOf(certificate.name)
  const toSign = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from(certificate.serial, 'hex')),
    sha256WithRsa,
    name,
    sequence(timeOf(certificate.from), timeOf(certificate.until)),
    name,
    certificate.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('RSA-SHA256').update(toSign).sign(certificate.privateKey)
  const der = sequence(toSign, sha256WithRsa, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
