import { Readable } from 'node:stream'
import {
  generateBatchQrCodes,
  generateManyQrCodes,
  generateQrCodes,
  getQrCode,
  type DataOf,
} from '@chairside/contract'
import { handle, handleOutside, type Call, type CallContext } from '../../kit/call.ts'
import { zipOf, type ZippedFile } from '../../kit/zip-stream.ts'
import { deviceFilterOf, deviceScopeOf } from '../device-list-api.ts'
import { findDeviceIds } from '../device-list-sql.ts'
import { layOutSticker, type StickerLayout } from './sticker-layout.ts'
import { stickerPng } from './sticker-png.ts'
import { stickerSvg } from './sticker-svg.ts'
import { findIdsOfBatch, findKnownIds } from './stickers-sql.ts'

const zipName = 'qrcode.zip'
const svgType = 'image/svg+xml; charset=utf-8'

type LayOut = (deviceId: string) => StickerLayout

/** Both files of each device, in the order of their names. */
function* filesOf(deviceIds: readonly string[], layOut: LayOut): Generator<ZippedFile> {
  for (const deviceId of deviceIds) {
    const layout = layOut(deviceId)
    yield { name: `${deviceId}.png`, content: stickerPng(layout), isStored: true }
    yield { name: `${deviceId}.svg`, content: Buffer.from(stickerSvg(layout)) }
  }
}

type ZipContext = Pick<CallContext<typeof generateQrCodes>, 'describeFile' | 'now'>

/** The zip leaves while it is made: what is not fetched is not drawn. */
function zipOfStickers(
  { describeFile, now }: ZipContext,
  deviceIds: readonly string[],
  layOut: LayOut,
): DataOf<typeof generateQrCodes> {
  describeFile({ name: zipName })
  return Readable.from(zipOf(filesOf(deviceIds, layOut), now), { objectMode: false })
}

/** Devices named one by one, all of them or none: a sticker that is missing in a zip is missed too late. */
async function namedDevices(
  { db, scope, refuse }: CallContext<typeof generateQrCodes> | CallContext<typeof generateManyQrCodes>,
  deviceIds: readonly string[] = [],
): Promise<string[]> {
  const wanted = [...new Set(deviceIds)]
  if (wanted.length === 0) return refuse('noDeviceChosen')
  const known = await findKnownIds(db, scope, wanted)
  if (known.length === wanted.length) return known
  const isKnown = new Set(known)
  return refuse('devicesGone', { deviceIds: namesOf(wanted.filter((id) => !isKnown.has(id))) })
}

const mostNamed = 5

const namesOf = (deviceIds: readonly string[]) =>
  deviceIds.slice(0, mostNamed).join(', ') + (deviceIds.length > mostNamed ? ` … (${deviceIds.length})` : '')

async function matchingDevices(context: CallContext<typeof generateManyQrCodes>): Promise<string[]> {
  const scope = await deviceScopeOf(context)
  const ids = scope ? await findDeviceIds(context.db, scope, deviceFilterOf(context)) : []
  return ids.length === 0 ? context.refuse('noDeviceMatches') : ids
}

/** QR codes of devices for print (spec 2 §7). They hold the address of the customer's page, `PUBLIC_URL/d/{id}`. */
export function createQrCodeCalls(publicUrl: string): Call[] {
  const origin = publicUrl.replace(/\/+$/, '')
  const layOut: LayOut = (deviceId) => layOutSticker(deviceId, `${origin}/d/${deviceId}`)
  return [
    handle(getQrCode, async ({ db, scope, input, accept, describeFile, refuse }) => {
      const [known] = await findKnownIds(db, scope, [input.deviceId])
      if (known === undefined) return refuse('notFound')
      const format = input.format ?? (/^\s*image\/svg\+xml/.test(accept) ? 'svg' : 'png')
      if (format === 'png') return stickerPng(layOut(known))
      describeFile({ type: svgType })
      return Buffer.from(stickerSvg(layOut(known)))
    }),
    handle(generateQrCodes, async (context) =>
      zipOfStickers(context, await namedDevices(context, context.input.deviceids), layOut),
    ),
    handleOutside(generateManyQrCodes, async (context) => {
      const { input, audit } = context
      const ids = input.matching
        ? await matchingDevices(context)
        : await namedDevices(context, input.deviceids)
      audit({ target: ids.length === 1 ? (ids[0] ?? '') : `${ids[0]} … (${ids.length})` })
      return zipOfStickers(context, ids, layOut)
    }),
    handle(generateBatchQrCodes, async (context) => {
      const ids = await findIdsOfBatch(context.db, context.input.id)
      if (ids === undefined) return context.refuse('notFound')
      return ids.length === 0 ? context.refuse('batchEmpty') : zipOfStickers(context, ids, layOut)
    }),
  ]
}
