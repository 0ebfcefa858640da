import { renewBoardPasswords } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { sql } from '../kit/database.ts'
import { changeDevices } from './change-devices.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { dismissBoards } from './device-terms-sql.ts'

/**
 * Other passwords for boards, since nobody can read again the ones they have. Also for one that runs: what it was paid
 * for goes on, and a password that is in wrong hands has to be worth nothing at once, whatever its board says it does.
 */
export const createRenewPasswordsCalls = (credentials: DeviceCredentials): Call[] => [
  handle(renewBoardPasswords, async (context) => {
    const boards: { deviceId: string; password: string }[] = []
    const outcome = await changeDevices(context, {
      judge: () => undefined,
      apply: async (devices) => {
        const issued = devices.map(({ id, sid }) => ({ id, sid, ...credentials.issue(sid) }))
        await sql`
          update devices d set credential_hash = n.hash
            from unnest(${issued.map(({ id }) => id)}::bigint[], ${issued.map(({ hash }) => hash)}::bytea[]) as n (id, hash)
           where d.id = n.id`.execute(context.db)
        await dismissBoards(
          context.db,
          issued.map(({ id }) => id),
        )
        boards.push(...issued.map(({ sid: deviceId, password }) => ({ deviceId, password })))
      },
      before: () => ({}),
      after: () => ({ passwordRenewed: true }),
      log: ({ merchantId }) => [{ merchantId, action: 'passwordRenewed' }],
    })
    return { ...outcome, boards }
  }),
]
