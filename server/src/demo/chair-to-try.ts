import type pg from 'pg'

/** Places with which people try things out: no misfortune of the demo befalls them. */
export const triedPlaces =
  'select place_id from (select place_id from devices where place_id is not null order by sid limit 20) tried'

/** The chair whose pay page is shown to whoever starts the demo. */
export async function findChairToTry(client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> {
  const { rows } = await client.query<{ sid: string }>(
    // Where it may be, one in a place that never closes.
    `select d.sid from devices d join places p on p.id = d.place_id
       join accounts a on a.organisation_id = d.merchant_id and a.user_name = 'merchant'
      where d.bound and d.locked = 0 and d.template_id is not null and d.place_id in (${triedPlaces})
      order by p.open_time is not null, d.sid limit 1`,
  )
  return rows[0]?.sid
}
