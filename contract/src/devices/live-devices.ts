import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { deviceIdPattern } from './devices.ts'

/** What changes of a device while one looks at its row. */
export const LiveDevice = z.object({
  deviceId: z.string(),
  status: z.int(),
  signals: z.int(),
  running: z.boolean(),
  locked: z.int(),
  blocked: z.boolean(),
})
export type LiveDevice = z.output<typeof LiveDevice>

/** Devices of one stream: the largest page of the console with room to spare. */
export const mostLiveDevices = 100

const liveIds = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? value
          .toUpperCase()
          .split(/[\s,]+/)
          .filter((id) => id !== '')
      : value,
  z
    .array(z.string().regex(deviceIdPattern, { error: 'deviceId' }))
    .min(1)
    .max(mostLiveDevices),
) as unknown as z.ZodType<string[], string>

/**
 * A stream of server-sent events. `devices` brings `LiveDevice[]`: all that were asked for and are the caller's when it
 * begins, then those that changed. `changed` says that rows have to be read again: a device went to another merchant or
 * place, was edited or removed. It ends when the session ends, when the caller's rights change, and when the server
 * stops; whoever is still looking asks again.
 */
export const watchDevices = endpoint({
  verb: 'GET',
  path: '/api/devices/live',
  summary: 'Status, signal, running and lock of some devices, told as they change (server-sent events)',
  needs: 'device.list',
  input: z.object({ deviceids: liveIds }),
  data: z.string(),
  refuses: ['notFound', 'tooManyStreams'],
  file: 'text/event-stream',
})

export const liveDeviceCalls = { watchDevices }
