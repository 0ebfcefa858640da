import { acknowledgeAlerts, alertKinds, isMerchantMode, listAlerts, type AlertRow } from '@chairside/contract'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useChange } from '../kit/call.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { RowActions } from '../kit/row-actions.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { AlertKindTag, AlertSubject, AlertTime } from './alert-columns.tsx'
import { AlertDetails } from './alert-details.tsx'
import { placeOptions } from './device-options.ts'

const MuteDialog = lazyDialog(() => import('./mute-dialog.tsx').then((module) => module.MuteDialog))
const MutedDevicesDialog = lazyDialog(() =>
  import('./muted-devices-dialog.tsx').then((module) => module.MutedDevicesDialog),
)

type Listed = AlertRow & Record<string, unknown>

const filters: readonly FilterDefinition[] = [
  {
    name: 'state',
    text: 'alerts.field.state',
    kind: 'choice',
    values: ['open', 'cleared', 'all'],
    valueText: 'alerts.state',
    byDefault: 'open',
  },
  { name: 'kind', text: 'alerts.field.kind', kind: 'choice', values: alertKinds, valueText: 'alerts.kind' },
  { name: 'deviceid', text: 'devices.field.deviceId', kind: 'text', maxLength: 20 },
  {
    name: 'placeid',
    text: 'devices.field.placeAddress',
    kind: 'listed',
    source: placeOptions,
    visible: ({ type }) => isMerchantMode(type),
  },
  {
    name: 'merchantid',
    text: 'devices.field.merchantName',
    kind: 'merchant',
    visible: ({ type }) => !isMerchantMode(type),
  },
  {
    name: 'agentId',
    text: 'alerts.list.agent',
    kind: 'agent',
    visible: ({ type }) => !isMerchantMode(type),
  },
  { name: 'startdate', text: 'alerts.list.startDate', kind: 'date' },
  { name: 'enddate', text: 'alerts.list.endDate', kind: 'date' },
]

/** Told by the column of what it is about. */
const told = [
  'deviceId',
  'deviceName',
  'devices',
  'mostDevices',
  'placeDevices',
  'code',
  'times',
  'raisedTime',
  'clearedTime',
  'state',
  'seenBy',
]
const toldToMerchants = [...told, 'merchantName']
const extraColumns = [{ field: 'what', text: 'alerts.list.what', kind: 'text', after: 'kind' }] as const
const widths = { kind: 164, what: 220, placeAddress: 196, merchantName: 148, beganTime: 184, actions: 184 }
const draw = {
  kind: (alert: AlertRow) => <AlertKindTag alert={alert} />,
  what: (alert: AlertRow) => <AlertSubject alert={alert} />,
  beganTime: (alert: AlertRow) => <AlertTime alert={alert} />,
}

/** `/alerts`: what needs attention, and what has passed by itself. */
export function AlertsPage() {
  const say = useTexts()
  const { type } = useUser()
  const [chosen, setChosen] = useState<ReadonlyMap<string, Listed>>(new Map())
  const [muting, setMuting] = useState<AlertRow | null>(null)
  const [showsMuted, setShowsMuted] = useState(false)
  const markSeen = useMarkSeen()
  const markChosen = async () => {
    if (await markSeen([...chosen.values()])) setChosen(new Map())
  }
  return (
    <>
      <ListScreen<Listed>
        title="alerts.list.title"
        emptyText={{ title: 'alerts.list.noneOpen', hint: 'alerts.list.noneHint' }}
        endpoint={listAlerts}
        filters={filters}
        rowKey="id"
        rowName="placeAddress"
        hiddenColumns={isMerchantMode(type) ? toldToMerchants : told}
        extraColumns={extraColumns}
        widths={widths}
        draw={draw}
        toolbar={<Button onClick={() => setShowsMuted(true)}>{say('alerts.mute.muted')}</Button>}
        selection={{ chosen, onChange: setChosen }}
        chosenActions={
          chosen.size > 0 && (
            <Button size="small" onClick={() => void markChosen()}>
              {say('alerts.list.markSeen')}
            </Button>
          )
        }
        actions={(alert) => (
          <AlertActions alert={alert} onSeen={() => void markSeen([alert])} onMute={() => setMuting(alert)} />
        )}
        expanded={(alert) => <AlertDetails alert={alert} />}
      />
      {muting && <MuteDialog alert={muting} onClose={() => setMuting(null)} />}
      {showsMuted && <MutedDevicesDialog onClose={() => setShowsMuted(false)} />}
    </>
  )
}

/** Notes that one's organisation has seen alerts; answers whether that was done. */
function useMarkSeen(): (alerts: readonly AlertRow[]) => Promise<boolean> {
  const say = useTexts()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const change = useChange(acknowledgeAlerts)
  return async (alerts) => {
    try {
      await change.mutateAsync({ ids: alerts.map(({ id }) => id) })
      void message.success(say('alerts.list.seenDone', { count: formatCount(alerts.length, language) }))
      return true
    } catch (error) {
      void message.error(say('console.form.failed', { reason: (error as Error).message }))
      return false
    }
  }
}

interface ActionProps {
  alert: AlertRow
  onSeen: () => void
  onMute: () => void
}

/** What can be done about an alert. */
function AlertActions({ alert, onSeen, onMute }: ActionProps) {
  const say = useTexts()
  const may = useMay()
  const actions = [
    ...(alert.seenTime === null ? [{ key: 'seen', text: say('alerts.list.markSeen'), act: onSeen }] : []),
    ...(alert.state === 'open' && may('device.edit')
      ? [{ key: 'mute', text: say('alerts.mute.action'), act: onMute }]
      : []),
  ]
  return <RowActions row={alert.deviceId || alert.placeAddress} actions={actions} />
}
