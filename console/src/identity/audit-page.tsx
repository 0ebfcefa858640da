import { auditOutcomes, listAudit, type AuditRow } from '@chairside/contract'
import { auditActions } from '@chairside/contract/locales/audit-actions'
import type { FilterDefinition } from '../kit/filter.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ListScreen } from '../kit/list-screen.tsx'

const filters: readonly FilterDefinition[] = [
  { name: 'username', text: 'audit.wholeUserName', kind: 'text', maxLength: 50 },
  {
    name: 'action',
    text: 'audit.field.action',
    kind: 'choice',
    values: auditActions,
    valueText: 'audit.action',
  },
  { name: 'target', text: 'audit.field.target', kind: 'text', maxLength: 200 },
  {
    name: 'outcome',
    text: 'audit.field.outcome',
    kind: 'choice',
    values: auditOutcomes,
    valueText: 'audit.outcome',
  },
  { name: 'startdate', text: 'console.orders.startDate', kind: 'date' },
  { name: 'enddate', text: 'console.orders.endDate', kind: 'date' },
]
const hidden = ['changes']
const optional = ['resultCode']
const widths = { userName: 150, organisationName: 148, action: 176, target: 208, outcome: 96, address: 156 }

/** `/audit`: who did or tried what, when and from where, with what was before and after. */
export function AuditPage() {
  return (
    <ListScreen<AuditRow & Record<string, unknown>>
      title="permissions.page.audit"
      endpoint={listAudit}
      filters={filters}
      rowKey="id"
      hiddenColumns={hidden}
      optionalColumns={optional}
      widths={widths}
      expanded={(row) => <Changes row={row} />}
    />
  )
}

/** A line for each field that changed. */
function Changes({ row }: { row: AuditRow }) {
  const textOf = useTextOf()
  const say = useTexts()
  if (row.outcome === 'refused')
    return (
      <span>
        {textOf('audit.field.resultCode')} {row.resultCode}
      </span>
    )
  if (row.changes === '') return <span className="hint">{say('audit.noChanges')}</span>
  return (
    <ul className="changes">
      {row.changes.split('\n').map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
