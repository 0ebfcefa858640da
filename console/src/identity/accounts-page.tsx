import { firstAdminId, type ListedAccount } from '@chairside/contract'
import { App } from 'antd'
import { useState } from 'react'
import { AddButton } from '../kit/add-button.tsx'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import type { FilterDefinition } from '../kit/filter.ts'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { useShowPassword } from '../kit/password-shown.tsx'
import { useResetTwoStep } from '../kit/reset-two-step.ts'
import { RowActions, type RowAction } from '../kit/row-actions.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { adminUsers, subAccountsOf, type AccountCalls } from './account-calls.ts'

const AccountDialog = lazyDialog(() => import('./account-dialog.tsx').then((module) => module.AccountDialog))
const PermissionDialog = lazyDialog(() =>
  import('../kit/permission-dialog.tsx').then((module) => module.PermissionDialog),
)

const filters: readonly FilterDefinition[] = [
  { name: 'username', text: 'identity.account.userName', kind: 'text', maxLength: 50 },
  { name: 'realname', text: 'identity.account.realName', kind: 'text', maxLength: 100 },
]
const widths = {
  userName: 144,
  realName: 108,
  twoStepEnabled: 96,
  lastLogin: 160,
  createTime: 160,
  actions: 352,
}
const optionalColumns = ['updateTime']

/** `/users`: the platform's admin users. */
export const AdminUsersPage = () => <AccountsPage calls={adminUsers} />

/** `/subaccount`: sub-accounts of one's own agent or merchant. */
export const SubAccountsPage = () => <AccountsPage calls={subAccountsOf(useUser())} />

type Opened = { dialog: 'add' } | { dialog: 'edit' | 'permissions'; account: ListedAccount }

function AccountsPage({ calls }: { calls: AccountCalls }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  return (
    <>
      <ListScreen<ListedAccount & Record<string, unknown>>
        title={calls.title}
        emptyText={{ hint: 'identity.account.noneSub' }}
        endpoint={calls.list}
        filters={filters}
        rowKey="userName"
        widths={widths}
        optionalColumns={optionalColumns}
        toolbar={
          <AddButton
            text={calls.addTitle}
            needs={calls.keys.add}
            onClick={() => setOpened({ dialog: 'add' })}
          />
        }
        actions={(account) => (
          <AccountActions
            calls={calls}
            account={account}
            onOpen={(dialog) => setOpened({ dialog, account })}
          />
        )}
      />
      {opened?.dialog === 'add' && <AccountDialog calls={calls} onClose={close} />}
      {opened?.dialog === 'edit' && <AccountDialog calls={calls} account={opened.account} onClose={close} />}
      {opened?.dialog === 'permissions' && (
        <PermissionDialog
          id={opened.account.id}
          userId={opened.account.userName}
          tree={calls.tree}
          grant={calls.grant}
          onClose={close}
        />
      )}
    </>
  )
}

interface ActionsProps {
  calls: AccountCalls
  account: ListedAccount
  onOpen: (dialog: 'edit' | 'permissions') => void
}

function AccountActions({ calls, account, onOpen }: ActionsProps) {
  const say = useTexts()
  const may = useMay()
  const user = useUser()
  const confirm = useConfirm()
  const showPassword = useShowPassword()
  const { message } = App.useApp()
  const reset = useChange(calls.resetPassword)
  const remove = useChange(calls.remove)
  const { userName: name } = account
  const takeAuthenticator = useResetTwoStep(name)

  const askToReset = async () => {
    let password = ''
    const isDone = await confirm({
      title: say('identity.account.resetTitle', { name }),
      explain: say('identity.account.resetExplain', { name }),
      doText: say('identity.account.resetPassword'),
      danger: true,
      act: async () => {
        password = await reset.mutateAsync({ userName: name })
      },
      failedText: 'organisations.reset.failed',
    })
    if (isDone) showPassword(name, password)
  }
  const askToRemove = async () => {
    const isDone = await confirm({
      title: say('identity.account.deleteTitle', { name }),
      explain: say('identity.account.deleteExplain'),
      doText: say('identity.account.delete'),
      danger: true,
      act: () => remove.mutateAsync({ id: account.id }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('console.form.deleted'))
  }
  const isFirstAdmin = calls === adminUsers && account.id === firstAdminId
  const firstAdmin = isFirstAdmin ? say('identity.account.firstAdmin') : undefined
  const yourself = account.id === user.id ? say('identity.account.yourself') : undefined
  const noTwoStep = account.twoStepEnabled ? undefined : say('identity.account.twoStepOff')
  const all: (RowAction & { isAllowed: boolean })[] = [
    {
      key: 'edit',
      text: say('identity.account.edit'),
      isAllowed: may(calls.keys.modify),
      act: () => onOpen('edit'),
    },
    {
      key: 'permissions',
      text: say('identity.account.permissions'),
      isAllowed: may(calls.keys.grant),
      disabledBecause: firstAdmin ?? yourself,
      act: () => onOpen('permissions'),
    },
    {
      key: 'resetPassword',
      text: say('identity.account.resetPassword'),
      isAllowed: may(calls.keys.resetPassword),
      disabledBecause: yourself,
      act: () => void askToReset(),
    },
    {
      key: 'resetTwoStep',
      text: say('identity.account.resetTwoStep'),
      isAllowed: may('users.twostepreset'),
      disabledBecause: yourself ?? noTwoStep,
      act: () => void takeAuthenticator(),
    },
    {
      key: 'remove',
      text: say('identity.account.delete'),
      danger: true,
      isAllowed: may(calls.keys.remove),
      disabledBecause: firstAdmin ?? yourself,
      act: () => void askToRemove(),
    },
  ]
  return <RowActions row={name} actions={all.filter(({ isAllowed }) => isAllowed)} shown={3} />
}
