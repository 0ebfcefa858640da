import {
  listAgentMerchants,
  organisationTypes,
  revealMobile,
  type DataOf,
  type OrganisationRow,
  userTypes,
} from '@chairside/contract'
import { SwapOutlined } from '@ant-design/icons'
import { Link, useNavigate } from '@tanstack/react-router'
import { App, Button } from 'antd'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import { useAddress } from '../kit/address.ts'
import { call } from '../kit/call.ts'
import { DeviceCount } from '../kit/device-count.tsx'
import { DrillDown } from '../kit/drill-down.tsx'
import { Facts } from '../kit/facts.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatCount, formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { useMay, useUser } from '../kit/user.ts'
import { WholeNumber } from '../kit/whole-number.tsx'
import { OrganisationActions } from './organisation-actions.tsx'
import { organisationCalls, type OrganisationKind } from './organisation-calls.ts'

const PermissionDialog = lazyDialog(() =>
  import('../kit/permission-dialog.tsx').then((module) => module.PermissionDialog),
)
const MoveDialog = lazyDialog(() => import('./move-dialog.tsx').then((module) => module.MoveDialog))
const MoveLogDialog = lazyDialog(() => import('./move-log-dialog.tsx').then((module) => module.MoveLogDialog))

/** A search by name looks at any depth below the agent that is drilled down to. */
const filters: readonly FilterDefinition[] = [
  { name: 'userid', text: 'organisations.field.userId', kind: 'text', maxLength: 50 },
  { name: 'username', text: 'organisations.field.name', kind: 'text', maxLength: 50 },
  { name: 'parentid', text: 'organisations.list.below', kind: 'agent' },
]
const optionalColumns = ['telephone', 'mobile', 'email', 'address', 'remark', 'createTime']
const widths = {
  userId: 168,
  name: 180,
  type: 88,
  status: 92,
  parentName: 144,
  agents: 92,
  merchants: 92,
  devices: 84,
  actions: 124,
}
/** An agent's devices are those of its merchants. */
const devicesBelow = ({ id, type }: OrganisationRow) => ({
  [type === organisationTypes.agent ? 'agentId' : 'merchantid']: String(id),
})
const draw = {
  name: (row: OrganisationRow) => <NameOf row={row} />,
  devices: (row: OrganisationRow) => <DeviceCount count={row.devices} search={devicesBelow(row)} />,
}

type Listed = OrganisationRow & Record<string, unknown>
type Chosen = ReadonlyMap<string, Listed>
type Opened = { dialog: 'move' } | { dialog: 'permissions' | 'moveLog'; row: OrganisationRow }

/** `/merchants`: agents and merchants by level, what can be done with each, and the way down and up (spec 1 §2). */
export function MerchantsPage() {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [opened, setOpened] = useState<Opened | null>(null)
  const may = useMay()
  const close = () => setOpened(null)
  return (
    <>
      <ListScreen<Listed>
        title="organisations.list.title"
        endpoint={listAgentMerchants}
        filters={filters}
        rowKey="userId"
        optionalColumns={optionalColumns}
        widths={widths}
        draw={draw}
        trail={(data) => <Trail chain={(data as DataOf<typeof listAgentMerchants> | undefined)?.chain} />}
        toolbar={<Toolbar count={chosen.size} onMove={() => setOpened({ dialog: 'move' })} />}
        {...(may('users.move') ? { selection: { chosen, onChange: setChosen } } : {})}
        actions={(row) => <OrganisationActions row={row} onOpen={(dialog) => setOpened({ dialog, row })} />}
        expanded={(row) => <Contact row={row} />}
      />
      {opened?.dialog === 'move' && (
        <MoveDialog chosen={[...chosen.values()]} onDone={() => setChosen(new Map())} onClose={close} />
      )}
      {opened?.dialog === 'moveLog' && <MoveLogDialog row={opened.row} onClose={close} />}
      {opened?.dialog === 'permissions' && <Permissions row={opened.row} onClose={close} />}
    </>
  )
}

const callsOfRow = ({ type }: OrganisationRow) =>
  type === organisationTypes.agent ? organisationCalls.agent : organisationCalls.merchant

function Permissions({ row, onClose }: { row: OrganisationRow; onClose: () => void }) {
  const { tree, grant } = callsOfRow(row)
  return <PermissionDialog id={row.id} userId={row.userId} tree={tree} grant={grant} onClose={onClose} />
}

/** The way from the caller's own level down to the one that is shown. */
function Trail({ chain = [] }: Pick<DataOf<typeof listAgentMerchants>, 'chain'>) {
  const say = useTexts()
  const { type, merchantName } = useUser()
  const top = type === userTypes.admin ? say('organisations.list.top') : merchantName
  return (
    <DrillDown
      steps={[
        { name: top, address: {} },
        ...chain.map(({ id, name }) => ({ name, address: { parentid: String(id) } })),
      ]}
    />
  )
}

function Toolbar({ count, onMove }: { count: number; onMove: () => void }) {
  const say = useTexts()
  const may = useMay()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const [state] = useAddress()
  const { message } = App.useApp()
  const add = (kind: OrganisationKind, isPrimary: boolean) => {
    const { keys, addAddress } = organisationCalls[kind]
    return (
      <AddButton
        text={kind === 'agent' ? 'organisations.list.addAgent' : 'organisations.list.addMerchant'}
        needs={keys.add}
        isPrimary={isPrimary}
        onClick={() => void navigate({ to: addAddress, search: state as never })}
      />
    )
  }
  return (
    <>
      {add('merchant', true)}
      {add('agent', false)}
      {may('users.move') && (
        <Button
          icon={<SwapOutlined aria-hidden />}
          onClick={() => (count === 0 ? void message.warning(say('refusals.nothingSelected')) : onMove())}
        >
          {count === 0
            ? say('organisations.list.move')
            : say('organisations.list.moveSome', { count: formatCount(count, language) })}
        </Button>
      )}
    </>
  )
}

/** An agent's name leads to the agents and merchants below it. */
function NameOf({ row }: { row: OrganisationRow }) {
  const [{ pagesize }] = useAddress()
  if (row.type !== organisationTypes.agent) return <span title={row.name}>{row.name}</span>
  const search = { parentid: String(row.id), ...(pagesize === undefined ? {} : { pagesize }) }
  return (
    <Link to="." search={search as never} title={row.name}>
      {row.name}
    </Link>
  )
}

const Mobile = ({ row: { id, mobile } }: { row: OrganisationRow }) => (
  <WholeNumber number={mobile} reveal={async () => (await call(revealMobile, { id })).mobile} />
)

function Contact({ row }: { row: OrganisationRow }) {
  const say = useTexts()
  const narrow = useNarrow()
  const facts = [
    [say('organisations.field.telephone'), row.telephone],
    [say('organisations.field.mobile'), row.mobile === '' ? '' : <Mobile key="mobile" row={row} />],
    [say('organisations.field.email'), row.email],
    [say('organisations.field.address'), row.address],
    [say('organisations.field.remark'), row.remark],
    [say('organisations.field.createTime'), formatDateTime(row.createTime)],
  ] as const
  // A card on a phone leaves out what is empty.
  return <Facts facts={narrow ? facts.filter(([, value]) => value !== '') : facts} />
}
