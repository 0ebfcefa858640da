import { chooseColumns } from '@chairside/contract'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { joinSentences } from './formats.ts'
import { useLanguage, useTextOf, useTexts } from './language.tsx'
import { offeredColumns, shownColumns, type ColumnsDefinition } from './list-columns.ts'
import { useUser } from './user.ts'
import { differenceOf, toggled } from './sets.ts'

interface Props {
  /** What the list is called. */
  title: string
  definition: ColumnsDefinition
  onClose: () => void
}

/** Chooses what a list shows, in the table and on the cards of a phone; kept with the account, for every browser. */
export function ColumnsDialog({ title, definition, onClose }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const textOf = useTextOf()
  const { hiddenColumns } = useUser()
  const list = definition.endpoint.path
  const offered = offeredColumns(definition)
  const fieldsShown = (hidden?: readonly string[]) =>
    new Set(shownColumns(definition, hidden).map(({ field }) => field))
  const [shown, setShown] = useState<ReadonlySet<string>>(() => fieldsShown(hiddenColumns[list]))
  const isAsAtFirst = differenceOf(shown, fieldsShown()).length === 0
  const fixed = offered.find(({ field }) => field === definition.fixedColumn)
  const hidden = offered.map(({ field }) => field).filter((field) => !shown.has(field))
  return (
    <FormDialog
      title={say('console.columns.title', { list: title })}
      endpoint={chooseColumns}
      input={{ list, ...(isAsAtFirst ? {} : { hidden }) }}
      submitText={say('console.columns.save')}
      doneText={say('console.columns.saved')}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="hint">
            {joinSentences(
              [
                say('console.columns.explain'),
                ...(definition.endpoint.sheet ? [say('console.columns.inExcel')] : []),
              ],
              language,
            )}
          </p>
          <div className="column-choice">
            {offered.map(({ field, text }) => (
              <Checkbox
                key={field}
                checked={shown.has(field)}
                disabled={field === fixed?.field || (shown.size === 1 && shown.has(field))}
                onChange={() => setShown(toggled(shown, field))}
              >
                {textOf(text)}
              </Checkbox>
            ))}
          </div>
          {fixed && <p className="hint">{say('console.columns.fixed', { column: textOf(fixed.text) })}</p>}
          {shown.size === 1 && <p className="hint">{say('console.columns.oneStays')}</p>}
          <Button size="small" disabled={isAsAtFirst} onClick={() => setShown(fieldsShown())}>
            {say('console.columns.reset')}
          </Button>
        </>
      )}
    </FormDialog>
  )
}
