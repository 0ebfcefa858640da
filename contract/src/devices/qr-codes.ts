import { z } from 'zod'
import { userTypes } from '../identity/user-types.ts'
import { endpoint } from '../kit/endpoint.ts'
import { choice, filter, flag, listUpTo, recordId } from '../kit/fields.ts'
import { deviceId, deviceLimits } from './device-changes.ts'
import { listDevices } from './devices.ts'

/** Most devices that a call names one by one; more are named by the filters of the list. */
export const mostNamedDevices = 10_000

/** Files of one device in the zip: PNG and SVG. */
export const filesPerSticker = 2

export const stickerFormats = ['png', 'svg'] as const

/** The sticker of a device: its QR code, which holds the address of its pay page, with the id below. */
export const getQrCode = endpoint({
  verb: 'GET',
  path: '/api/device/:deviceId/qrcode',
  summary: 'The QR code of a device for print, as PNG, or as SVG by `format` or the Accept header',
  needs: 'device.qrcode',
  input: z.object({ deviceId, format: filter(choice(stickerFormats)) }),
  file: 'image/png',
  data: z.custom<Uint8Array>(),
  refuses: ['notFound'],
})

const zipFile = {
  file: 'application/zip',
  /** A zip that is made while it is sent. */
  data: z.custom<AsyncIterable<Uint8Array>>(),
} as const

const deviceIds = listUpTo(
  mostNamedDevices,
  z.array(z.string().trim().toUpperCase().max(deviceLimits.deviceid)),
) as unknown as z.ZodType<string[], readonly string[] | string>

export const generateQrCodes = endpoint({
  verb: 'GET',
  path: '/api/devices/generateqrcode',
  summary: 'A zip of the QR codes of devices (qrcode.zip), PNG and SVG of each, by name',
  needs: 'device.qrcode',
  input: z.object({ deviceids: filter(deviceIds) }),
  ...zipFile,
  refuses: ['noDeviceChosen', 'devicesGone'],
})

const { pagesize: _pagesize, pagenum: _pagenum, ...deviceFilters } = listDevices.input.shape

/**
 * The same for more devices than an address holds: by their ids, or with `matching` all that match the filters of the
 * device list.
 */
export const generateManyQrCodes = endpoint({
  verb: 'POST',
  path: '/api/devices/generateqrcode',
  summary: 'A zip of the QR codes of many devices, or of all that match the filters of the list',
  needs: 'device.qrcode',
  audit: 'device.qrcode',
  input: z.object({ deviceids: filter(deviceIds), matching: filter(flag), ...deviceFilters }),
  ...zipFile,
  refuses: ['noDeviceChosen', 'devicesGone', 'noDeviceMatches'],
})

export const generateBatchQrCodes = endpoint({
  verb: 'GET',
  path: '/api/devices/batchqrcode/:id',
  summary: 'A zip of the QR codes of a batch',
  needs: 'batch.list',
  types: [userTypes.admin],
  input: z.object({ id: recordId }),
  ...zipFile,
  refuses: ['notFound', 'batchEmpty'],
})

export const qrCodeCalls = { getQrCode, generateQrCodes, generateManyQrCodes, generateBatchQrCodes }
