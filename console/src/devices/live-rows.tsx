import {
  listDevices,
  mostLiveDevices,
  watchDevices,
  type DeviceRow,
  type LiveDevice,
} from '@chairside/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { listen } from '../kit/event-stream.ts'
import { useTexts } from '../kit/language.tsx'

interface DevicePage {
  list: DeviceRow[]
  total: number
}

const onVisibility = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}
const isInSight = () => document.visibilityState === 'visible'

/** A page with the news put into its rows; undefined when nothing is new. */
function withNews(page: DevicePage, news: ReadonlyMap<string, LiveDevice>): DevicePage | undefined {
  const differs = (row: DeviceRow, live: LiveDevice) =>
    (Object.keys(live) as (keyof LiveDevice)[]).some((field) => row[field] !== live[field])
  let isNew = false
  const list = page.list.map((row) => {
    const live = news.get(row.deviceId)
    if (!live || !differs(row, live)) return row
    isNew = true
    return { ...row, ...live }
  })
  return isNew ? { ...page, list } : undefined
}

/** Keeps the rows on the screen as they are now, and says whether it does. Listens only while the tab is in sight. */
export function LiveRows({ rows }: { rows: readonly DeviceRow[] }) {
  const say = useTexts()
  const client = useQueryClient()
  const isSeen = useSyncExternalStore(onVisibility, isInSight)
  const [isOpen, setOpen] = useState<boolean | undefined>()
  const deviceids = rows
    .slice(0, mostLiveDevices)
    .map(({ deviceId }) => deviceId)
    .toSorted()
    .join(',')
  useEffect(() => {
    if (deviceids === '' || !isSeen) return undefined
    return listen(
      watchDevices,
      { deviceids },
      {
        onLine: setOpen,
        onEvent(event, data) {
          const queryKey = [listDevices.path]
          if (event === 'changed') void client.invalidateQueries({ queryKey })
          if (event !== 'devices') return
          const news = new Map((data as LiveDevice[]).map((live) => [live.deviceId, live]))
          // Not by setQueriesData, which would mark the whole list as read: that it could not be read again must stay visible.
          for (const query of client.getQueryCache().findAll({ queryKey })) {
            const page = query.state.data as DevicePage | undefined
            const renewed = page && withNews(page, news)
            if (renewed) query.setState({ data: renewed })
          }
        },
      },
    )
  }, [client, deviceids, isSeen])
  if (isOpen === undefined || deviceids === '') return null
  return (
    <span
      className={`live-rows ${isOpen ? 'live-rows-open' : ''}`}
      role="status"
      title={say('devices.live.explain')}
    >
      {say(isOpen ? 'devices.live.open' : 'devices.live.lost')}
    </span>
  )
}
