import pg from 'pg'

/** Stores heartbeats as quickly as the database takes them: one connection, batch after batch, nothing else. */
export interface HeartbeatSql {
  /** Heartbeats a second. */
  rate(batchRows: number, heartbeats: number): Promise<number>
  close(): Promise<void>
}

const storeBatch = `
  update device_states s set signal = r.signal, last_seen_at = r.at, boot_id = r.boot_id
    from unnest($1::bigint[], $2::smallint[], $3::timestamptz[], $4::text[]) as r (device_id, signal, at, boot_id)
   where s.device_id = r.device_id`

/** @param deviceIds devices that beat in turn */
export async function openHeartbeatSql(
  databaseUrl: string,
  deviceIds: readonly number[],
): Promise<HeartbeatSql> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return {
    async rate(batchRows, heartbeats) {
      const start = performance.now()
      for (let done = 0; done < heartbeats; done += batchRows) {
        const first = done % deviceIds.length
        const ids = deviceIds.slice(first, first + batchRows)
        await client.query({
          name: 'store batch',
          text: storeBatch,
          values: [
            ids,
            ids.map((id) => id % 6),
            ids.map(() => new Date().toISOString()),
            ids.map(() => 'of the batches'),
          ],
        })
      }
      return heartbeats / ((performance.now() - start) / 1000)
    },
    close: () => client.end(),
  }
}
