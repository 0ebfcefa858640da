import { batchColumns, deleteBatch, listBatches, type DeviceBatch } from '@chairside/contract'
import { App } from 'antd'
import { useState } from 'react'
import { ActionButton } from '../kit/action-button.tsx'
import { AddButton } from '../kit/add-button.tsx'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useMay } from '../kit/user.ts'
// What it shows is shown this once: its code must not be what is missing then.
import { useBoardPasswords } from './board-passwords.tsx'

const BatchDialog = lazyDialog(() => import('./batch-dialog.tsx').then((module) => module.BatchDialog))
const BatchStickers = lazyDialog(() => import('./batch-stickers.tsx').then((module) => module.BatchStickers))

const filters: readonly FilterDefinition[] = [
  { name: 'deviceid', text: 'devices.field.deviceId', kind: 'text', maxLength: 20 },
]
const widths = {
  deviceid: 128,
  lastDeviceId: 128,
  amount: 92,
  modelName: 112,
  typeName: 92,
  fmversion: 88,
  assigned: 112,
  createTime: 168,
  actions: 240,
}

type Listed = DeviceBatch & Record<string, unknown>

/** `/batchdevice`: batches of devices, for admins (spec 2 §2). */
export function BatchesPage() {
  const [opened, setOpened] = useState<DeviceBatch | 'new' | null>(null)
  const passwords = useBoardPasswords()
  const [printed, setPrinted] = useState<DeviceBatch | null>(null)
  return (
    <>
      <ListScreen<Listed>
        title="permissions.page.batchdevice"
        endpoint={listBatches}
        columns={batchColumns}
        filters={filters}
        rowKey="deviceid"
        widths={widths}
        toolbar={<AddButton text="batches.add" needs="batch.add" onClick={() => setOpened('new')} />}
        actions={(batch) => (
          <BatchActions batch={batch} onModify={() => setOpened(batch)} onPrint={() => setPrinted(batch)} />
        )}
      />
      {opened !== null && (
        <BatchDialog
          {...(opened === 'new' ? {} : { batch: opened })}
          onMade={passwords.show}
          onClose={() => setOpened(null)}
        />
      )}
      {printed && <BatchStickers batch={printed} onClose={() => setPrinted(null)} />}
      {passwords.dialog}
    </>
  )
}

interface ActionsProps {
  batch: DeviceBatch
  onModify: () => void
  onPrint: () => void
}

function BatchActions({ batch, onModify, onPrint }: ActionsProps) {
  const say = useTexts()
  const may = useMay()
  const { language } = useLanguage()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const remove = useChange(deleteBatch)
  const count = formatCount(batch.amount, language)
  const askToRemove = async () => {
    let removed = 0
    const isDone = await confirm({
      title: say('batches.deleteTitle', { deviceId: batch.deviceid }),
      explain: say('batches.deleteExplain', {
        count,
        deviceId: batch.deviceid,
        lastDeviceId: batch.lastDeviceId,
      }),
      doText: say('batches.deleteSubmit', { count }),
      danger: true,
      act: async () => {
        removed = (await remove.mutateAsync({ id: batch.id })).removed
      },
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('batches.deleted', { count: formatCount(removed, language) }))
  }
  return (
    <>
      <ActionButton onClick={onPrint}>{say('stickers.action')}</ActionButton>
      {may('batch.modify') && <ActionButton onClick={onModify}>{say('batches.modify')}</ActionButton>}
      {may('batch.delete') && (
        <ActionButton
          danger
          disabledBecause={batch.assigned > 0 ? say('refusals.batchAssigned') : undefined}
          onClick={() => void askToRemove()}
        >
          {say('batches.delete')}
        </ActionButton>
      )}
    </>
  )
}
