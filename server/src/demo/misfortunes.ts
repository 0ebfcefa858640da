import type { SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import { lookForAlerts } from '../devices/alerts/look-for-alerts.ts'
import type { AlertTimes } from '../devices/alerts/symptoms-sql.ts'
import { triedPlaces } from './chair-to-try.ts'
import { openDatabase, sql, type Database } from '../kit/database.ts'

/** Nobody watches a demo for long: an alert comes soon. */
export const demoAlertTimes: AlertTimes = { offlineMinutes: 2, weakSignalMinutes: 30, settleMinutes: 5 }

const everyMs = 4 * 60_000
const halfAnHourMs = 31 * 60_000

/** Finds what is amiss in a network that was just made up, as the server would have half an hour ago and now. */
export async function noticeMisfortunes(databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 2 })
  try {
    const now = Date.now()
    await lookForAlerts(db, demoAlertTimes, new Date(now - halfAnHourMs))
    await lookForAlerts(db, demoAlertTimes, new Date(now))
  } finally {
    await close()
  }
}

interface UnwellChair {
  sid: string
  kind: string
  code: string
}

async function findUnwellChairs(db: Database): Promise<UnwellChair[]> {
  const { rows } = await sql<UnwellChair>`
    select d.sid, s.kind, s.code from device_symptoms s join devices d on d.id = s.device_id
     where s.alert_id is not null`.execute(db)
  return rows
}

/** Lets the chairs of open alerts be as these say. */
export async function letAlertsBeTrue(
  db: Database,
  chairs: Pick<SimulatedChairs, 'setFaults'>,
): Promise<void> {
  for (const { sid, kind, code } of await findUnwellChairs(db)) {
    if (kind === 'offline') chairs.setFaults({ sid }, { isOffline: true })
    if (kind === 'trouble') chairs.setFaults({ sid }, { trouble: code })
    if (kind === 'weakSignal') chairs.setFaults({ sid }, { hasWeakSignal: true })
  }
}

/** From now on now and then a place loses its power while another gets it back. */
export async function startMisfortunes(
  db: Database,
  chairs: Pick<SimulatedChairs, 'setFaults'>,
): Promise<{ stop(): void }> {
  const unwell = await findUnwellChairs(db)
  const { rows: places } = await sql<{ sids: string[] }>`
    select array_agg(sid) as sids from devices where place_id is not null and bound and locked = 0
       and place_id not in (${sql.raw(triedPlaces)})
     group by place_id having count(*) > 2 order by place_id`.execute(db)
  const switchPower = (sids: readonly string[] | undefined, isOffline: boolean) => {
    for (const sid of sids ?? []) chairs.setFaults({ sid }, { isOffline })
  }
  let dark: (readonly string[])[] = [unwell.filter(({ kind }) => kind === 'offline').map(({ sid }) => sid)]
  const timer = setInterval(() => {
    const next = places[Math.floor(Math.random() * places.length)]?.sids
    if (dark.length > 1) switchPower(dark.shift(), false)
    if (!next) return
    switchPower(next, true)
    dark = [...dark, next]
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
