import { listModels, modelColumns, type DeviceModel } from '@chairside/contract'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '../kit/action-button.tsx'
import { AddButton } from '../kit/add-button.tsx'
import { useAddress } from '../kit/address.ts'
import { useRead } from '../kit/call.ts'
import { FilterPanel, type FilterDefinition } from '../kit/filters.tsx'
import { useTexts } from '../kit/language.tsx'
import { ListRows } from '../kit/list-rows.tsx'
import { pagingOf, turnPage } from '../kit/list-screen.tsx'
import { Pager } from '../kit/pager.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ScreenHeader } from '../kit/screen-header.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { ModelFigure } from './model-figure.tsx'

const ModelDialog = lazy(() =>
  import('./model-dialog.tsx').then((module) => ({ default: module.ModelDialog })),
)

type Listed = DeviceModel & Record<string, unknown>

const filters: readonly FilterDefinition[] = [
  { name: 'name', text: 'models.field.name', kind: 'text', maxLength: 64 },
]
const widths = {
  model: 150,
  name: 118,
  controlMode: 104,
  pulseCycle: 92,
  pulseDutyCycle: 92,
  pulseDuration: 100,
  resetTime: 92,
  controllable: 116,
  lightTherapy: 84,
  sleepMode: 80,
  actions: 76,
}
const draw = {
  pulseCycle: (model: DeviceModel) => <ModelFigure model={model} field="pulseCycle" />,
  pulseDutyCycle: (model: DeviceModel) => <ModelFigure model={model} field="pulseDutyCycle" />,
  pulseDuration: (model: DeviceModel) => <ModelFigure model={model} field="pulseDuration" />,
}

/** Models have a designation and may have a name; a search by name looks at both. */
const isNamed = (wanted: string) => {
  const part = wanted.trim().toLowerCase()
  return ({ model, name }: DeviceModel) => `${model}\n${name}`.toLowerCase().includes(part)
}

/** `/models`: the models of devices, for admins (spec 2 §2). They are few and come at once. */
export function ModelsPage() {
  const say = useTexts()
  const may = useMay()
  const user = useUser()
  const [state, setState] = useAddress()
  const [opened, setOpened] = useState<DeviceModel | 'new' | null>(null)
  const { page, pageSize } = pagingOf(state)
  const { page: _page, pagesize, ...wanted } = state
  const read = useRead(listModels, {})
  const found = (read.data ?? []).filter(isNamed(wanted['name'] ?? ''))
  return (
    <>
      <ScreenHeader title={say('permissions.page.models')}>
        <AddButton text="models.add" needs="model.add" onClick={() => setOpened('new')} />
      </ScreenHeader>
      <FilterPanel
        filters={filters}
        user={user}
        state={wanted}
        errors={{}}
        onSearch={(next) => setState(pagesize ? { ...next, pagesize } : next)}
        onReset={() => setState({})}
      />
      <ReadState read={read} isEmpty={found.length === 0}>
        <ListRows<Listed>
          label={say('permissions.page.models')}
          endpoint={listModels}
          columns={modelColumns}
          rowKey="model"
          rows={found.slice((page - 1) * pageSize, page * pageSize) as Listed[]}
          widths={widths}
          draw={draw}
          isBusy={false}
          {...(may('model.edit')
            ? {
                actions: (model: Listed) => (
                  <ActionButton onClick={() => setOpened(model)}>{say('models.edit')}</ActionButton>
                ),
              }
            : {})}
        />
      </ReadState>
      {found.length > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          pages={Math.ceil(found.length / pageSize)}
          total={found.length}
          onChange={(next, size) => setState(turnPage(state, next, size))}
        />
      )}
      {opened !== null && (
        <Suspense>
          <ModelDialog {...(opened === 'new' ? {} : { model: opened })} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}
