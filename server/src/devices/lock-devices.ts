import { associateDevices, deviceLocks, lockDevices, userTypes } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { sql } from '../kit/database.ts'
import { changeDevices } from './change-devices.ts'
import type { DeviceToChange } from './devices-to-change-sql.ts'

const idsOf = (devices: readonly DeviceToChange[]) => devices.map(({ id }) => id)

/** Lock and binding: whether a device may be sold, in the hands of who holds it (spec 2 §4, decisions §3). */
export const lockDevicesCalls: Call[] = [
  handle(lockDevices, (context) => {
    const { db, input, caller } = context
    const isAdmin = caller().type === userTypes.admin
    const locks = input.option === '1'
    const wished = locks ? (isAdmin ? deviceLocks.adminLocked : deviceLocks.disabled) : deviceLocks.enabled
    const isAdminLocked = ({ locked }: DeviceToChange) => locked === deviceLocks.adminLocked
    return changeDevices(context, {
      judge: (device) => (!isAdmin && !locks && isAdminLocked(device) ? 'lockedByAdmin' : undefined),
      // Locked by an admin it is locked already, and stays the admin's.
      isAsWished: (device) => device.locked === wished || (!isAdmin && isAdminLocked(device)),
      apply: async (devices) => {
        await sql`update devices set locked = ${wished} where id = any(${idsOf(devices)}::bigint[])`.execute(
          db,
        )
      },
      before: ({ locked }) => ({ locked }),
      after: () => ({ locked: wished }),
      log: ({ merchantId }) => [
        { merchantId, action: locks ? (isAdmin ? 'lockedByAdmin' : 'locked') : 'unlocked' },
      ],
    })
  }),
  handle(associateDevices, (context) => {
    const { db, input } = context
    const binds = input.option === '1'
    return changeDevices(context, {
      judge: ({ merchantId }) => (merchantId === null ? 'deviceUnassigned' : undefined),
      isAsWished: ({ bound }) => bound === binds,
      apply: async (devices) => {
        await sql`
          update devices set bound = ${binds}, bound_at = case when ${binds} then now() end
           where id = any(${idsOf(devices)}::bigint[])`.execute(db)
      },
      before: ({ bound }) => ({ bound }),
      after: () => ({ bound: binds }),
      log: ({ merchantId }) => [{ merchantId, action: binds ? 'bound' : 'unbound' }],
    })
  }),
]
