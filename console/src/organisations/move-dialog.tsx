import {
  moveOrganisations,
  organisationTypes,
  previewMove,
  userTypes,
  type OrganisationRow,
} from '@chairside/contract'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { useUser } from '../kit/user.ts'
import './organisations.css'

interface Props {
  chosen: readonly OrganisationRow[]
  onDone: () => void
  onClose: () => void
}

/** Moves agents and merchants below another agent, or agents to the highest level; says first what goes along. */
export function MoveDialog({ chosen, onDone, onClose }: Props) {
  const say = useTexts()
  const { type } = useUser()
  const { language } = useLanguage()
  const [target, setTarget] = useState('')
  const [highestLevel, setHighestLevel] = useState(false)
  const merchantIds = chosen.map(({ id }) => id)
  const count = formatCount(chosen.length, language)
  const hasMerchant = chosen.some((row) => row.type === organisationTypes.merchant)

  const check = (): Record<string, string> => {
    if (highestLevel && hasMerchant) return { highestLevel: say('refusals.onlyAgentsToTop') }
    if (!highestLevel && target === '') return { parentId: say('refusals.noMoveTarget') }
    return {}
  }
  return (
    <FormDialog
      title={say('organisations.move.title')}
      endpoint={moveOrganisations}
      input={{ merchantIds, ...(highestLevel ? { highestLevel } : { parentId: target }) }}
      check={check}
      submitText={say('organisations.move.submit')}
      doneText={({ moved }) =>
        moved === chosen.length
          ? say('organisations.move.doneAll', { count })
          : say('organisations.move.done', { moved: formatCount(moved, language), count })
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <h2>{say('organisations.move.chosen', { count })}</h2>
          <ul className="chosen-organisations">
            {chosen.map(({ id, name, userId }) => (
              <li key={id}>
                {name} <span className="hint">{userId}</span>
              </li>
            ))}
          </ul>
          <Preview merchantIds={merchantIds} />
          <FormField
            name="parentId"
            label={say('organisations.move.target')}
            error={errors['parentId']}
            required={!highestLevel}
          >
            {({ id }) => (
              <OrganisationPicker
                id={id}
                kind="agent"
                value={target}
                disabled={highestLevel}
                onChange={setTarget}
              />
            )}
          </FormField>
          {type === userTypes.admin && (
            <div className="highest-level" data-field="highestLevel">
              <Checkbox checked={highestLevel} onChange={(event) => setHighestLevel(event.target.checked)}>
                {say('organisations.move.highestLevel')}
              </Checkbox>
              {errors['highestLevel'] === undefined ? (
                <p className="hint">{say('organisations.move.highestLevelHint')}</p>
              ) : (
                <p className="error" role="alert">
                  {errors['highestLevel']}
                </p>
              )}
            </div>
          )}
          <p className="hint">{say('organisations.move.explain')}</p>
        </>
      )}
    </FormDialog>
  )
}

/** What the move takes along, everything counted once. */
function Preview({ merchantIds }: { merchantIds: number[] }) {
  const say = useTexts()
  const { language } = useLanguage()
  const read = useRead(previewMove, { merchantIds: merchantIds.join(',') })
  const counts = read.data
  return (
    <section aria-label={say('organisations.move.preview')} className="move-preview">
      <h2>{say('organisations.move.preview')}</h2>
      <ReadState read={read}>
        {counts && (
          <Facts
            facts={(['agents', 'subAgents', 'merchants', 'devices'] as const).map(
              (name) => [say(`organisations.move.${name}`), formatCount(counts[name], language)] as const,
            )}
          />
        )}
      </ReadState>
    </section>
  )
}
