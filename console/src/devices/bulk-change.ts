import type { DataOf, DevicesChanged, Endpoint, InputOf } from '@chairside/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, fieldErrorsOf, readAnew } from '../kit/call.ts'
import type { ListedDevice } from './chosen-devices.ts'

/** Devices changed by one call, so that each is over soon and its progress can be told. */
const mostAtOnce = 500

/** A device with which a call failed. */
export interface FailedDevice {
  device: ListedDevice
  reason: string
}

export interface BulkOutcome {
  changed: number
  failed: readonly FailedDevice[]
}

/** A call that changes devices and answers for each. */
export type BulkEndpoint = Endpoint & { data: { _zod: { output: DevicesChanged } } }

/**
 * Changes many devices, some hundreds at a time. What fails is reported for each device; what the call does not take of its
 * other fields is thrown while nothing was changed yet.
 */
export function useBulkChange<E extends BulkEndpoint>(
  endpoint: E,
  inputOf: (ids: number[]) => InputOf<E>,
  /** Told of each answer that came. */
  onOutcome?: (outcome: DataOf<E>) => void,
) {
  const client = useQueryClient()
  const [done, setDone] = useState(0)

  const run = async (devices: readonly ListedDevice[]): Promise<BulkOutcome> => {
    const failed: FailedDevice[] = []
    let changed = 0
    setDone(0)
    try {
      for (let at = 0; at < devices.length; at += mostAtOnce) {
        const some = devices.slice(at, at + mostAtOnce)
        try {
          const outcome = await call(endpoint, inputOf(some.map(({ id }) => id)))
          onOutcome?.(outcome)
          changed += outcome.changed
          const reasons = new Map(outcome.failed.map(({ id, message }) => [id, message]))
          for (const device of some) {
            const reason = reasons.get(device.id)
            if (reason !== undefined) failed.push({ device, reason })
          }
        } catch (error) {
          if (at === 0 && Object.keys(fieldErrorsOf(error)).length > 0) throw error
          failed.push(...some.map((device) => ({ device, reason: (error as Error).message })))
        }
        setDone(at + some.length)
      }
    } finally {
      await readAnew(client)
    }
    return { changed, failed }
  }
  return { run, done }
}
