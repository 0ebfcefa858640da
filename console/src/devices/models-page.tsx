import { listModels, modelColumns, type DeviceModel } from '@chairside/contract'
import { useState } from 'react'
import { ActionButton } from '../kit/action-button.tsx'
import { AddButton } from '../kit/add-button.tsx'
import type { AddressState } from '../kit/address.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useMay } from '../kit/user.ts'
import { ModelFigure } from './model-figure.tsx'

const ModelDialog = lazyDialog(() => import('./model-dialog.tsx').then((module) => module.ModelDialog))

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
const keeps = ({ model, name }: Listed, wanted: AddressState) =>
  `${model}\n${name}`.toLowerCase().includes((wanted['name'] ?? '').trim().toLowerCase())

/** `/models`: the models of devices, for admins (spec 2 §2). They are few and come at once. */
export function ModelsPage() {
  const say = useTexts()
  const may = useMay()
  const [opened, setOpened] = useState<DeviceModel | 'new' | null>(null)
  return (
    <>
      <ListScreen<Listed>
        title="permissions.page.models"
        endpoint={listModels}
        columns={modelColumns}
        filters={filters}
        keeps={keeps}
        rowKey="model"
        widths={widths}
        draw={draw}
        toolbar={<AddButton text="models.add" needs="model.add" onClick={() => setOpened('new')} />}
        {...(may('model.edit')
          ? {
              actions: (model: Listed) => (
                <ActionButton onClick={() => setOpened(model)}>{say('models.edit')}</ActionButton>
              ),
            }
          : {})}
      />
      {opened !== null && (
        <ModelDialog {...(opened === 'new' ? {} : { model: opened })} onClose={() => setOpened(null)} />
      )}
    </>
  )
}
