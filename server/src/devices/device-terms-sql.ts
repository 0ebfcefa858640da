import { sql, type Database } from '../kit/database.ts'

/*
 * A device is somebody's for a term (docs/decisions/0259). Both are called when its row says so already, and while it is
 * locked.
 */

/** Devices came to another holder: their online history goes on as the new one's, and nobody has muted them. */
export async function handOverDevices(db: Database, deviceIds: readonly number[]): Promise<void> {
  await sql`select hand_over_devices(${[...deviceIds]}::bigint[])`.execute(db)
}

/** What is known of the boards of devices that were made, or came back as new: nothing. `devices` is a select with ids. */
export const beginStatesOf = (devices: string) => sql`
  insert into device_states as s (device_id) select id from ${sql.ref(devices)}
  on conflict (device_id) do update set
    status = 2, signal = 0, last_seen_at = null, status_since = now(), boot_id = '', running_command_id = '', running_until = null,
    trouble_code = '', gateway = '', held_status = null, said_at = null`

/** Boards have new passwords: whoever is connected with an old one is disconnected, at whichever gateway. */
export async function dismissBoards(db: Database, deviceIds: readonly number[]): Promise<void> {
  await sql`select dismiss_boards(${[...deviceIds]}::bigint[])`.execute(db)
}

/** Devices were removed: nothing is known of their boards, which lose their connections wherever they have them. */
export async function retireDevices(db: Database, deviceIds: readonly number[]): Promise<void> {
  await sql`select retire_devices(${[...deviceIds]}::bigint[])`.execute(db)
}
