import { organisationStatuses, organisationTypes, type OrganisationRow } from '@chairside/contract'
import { useNavigate } from '@tanstack/react-router'
import { App } from 'antd'
import { useAddress } from '../kit/address.ts'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useShowPassword } from '../kit/password-shown.tsx'
import { useResetTwoStep } from '../kit/reset-two-step.ts'
import { RowActions, type RowAction } from '../kit/row-actions.tsx'
import { useMay } from '../kit/user.ts'
import { organisationCalls } from './organisation-calls.ts'

interface Props {
  row: OrganisationRow
  onOpen: (dialog: 'permissions' | 'moveLog') => void
}

/** What the caller may do with an agent or merchant, by its kind (spec 1 §6). */
export function OrganisationActions({ row, onOpen }: Props) {
  const say = useTexts()
  const may = useMay()
  const navigate = useNavigate()
  const [state] = useAddress()
  const lock = useLock(row)
  const resetPassword = useResetPassword(row)
  const takeAuthenticator = useResetTwoStep(row.userId)
  const isAgent = row.type === organisationTypes.agent
  const { keys, editAddress } = organisationCalls[isAgent ? 'agent' : 'merchant']
  const isLocked = row.status === organisationStatuses.locked

  const openDevices = () =>
    isAgent
      ? navigate({ to: '/devices', search: { agentId: String(row.id) } as never })
      : navigate({ to: '/devices/$merchantId', params: { merchantId: String(row.id) } })
  const all: (RowAction & { isAllowed: boolean })[] = [
    {
      key: 'edit',
      text: say('organisations.list.edit'),
      isAllowed: may(keys.edit),
      act: () => void navigate({ to: editAddress, params: { id: String(row.id) }, search: state as never }),
    },
    {
      key: 'devices',
      text: say('organisations.list.devices'),
      isAllowed: may('device.list'),
      act: () => void openDevices(),
    },
    {
      key: 'permissions',
      text: say('organisations.list.permissions'),
      isAllowed: may(keys.grant),
      act: () => onOpen('permissions'),
    },
    {
      key: 'moveLog',
      text: say('organisations.list.moveLog'),
      isAllowed: may('users.log'),
      act: () => onOpen('moveLog'),
    },
    {
      key: 'resetPassword',
      text: say('organisations.list.resetPassword'),
      isAllowed: may(keys.resetPassword),
      act: () => void resetPassword(),
    },
    {
      key: 'resetTwoStep',
      text: say('identity.account.resetTwoStep'),
      isAllowed: may('users.twostepreset'),
      act: () => void takeAuthenticator(),
    },
    {
      key: 'lock',
      text: say(isLocked ? 'organisations.list.unlock' : 'organisations.list.lock'),
      danger: !isLocked,
      isAllowed: may(keys.lock),
      act: () => void lock(),
    },
  ]
  return <RowActions row={row.userId} actions={all.filter(({ isAllowed }) => isAllowed)} />
}

/** Asks, saying what will happen, and locks; a locked one is unlocked. */
function useLock(row: OrganisationRow): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { language } = useLanguage()
  const { message } = App.useApp()
  const calls = organisationCalls[row.type === organisationTypes.agent ? 'agent' : 'merchant']
  const change = useChange(calls.lock)
  const locks = row.status === organisationStatuses.enabled
  const { name } = row
  return async () => {
    const isDone = await confirm({
      title: say(locks ? 'organisations.lock.lockTitle' : 'organisations.lock.unlockTitle', { name }),
      explain: say(locks ? calls.texts.lock : calls.texts.unlock, {
        devices: formatCount(row.devices, language),
      }),
      doText: say(locks ? 'organisations.list.lock' : 'organisations.list.unlock'),
      danger: locks,
      act: () => change.mutateAsync({ id: row.id, option: locks ? '1' : '0' }),
    })
    if (isDone)
      void message.success(say(locks ? 'organisations.lock.locked' : 'organisations.lock.unlocked', { name }))
  }
}

/** Asks, and shows the new password of the owner once. */
function useResetPassword(row: OrganisationRow): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const showPassword = useShowPassword()
  const calls = organisationCalls[row.type === organisationTypes.agent ? 'agent' : 'merchant']
  const change = useChange(calls.resetPassword)
  const { name, userId } = row
  return async () => {
    let password = ''
    const isDone = await confirm({
      title: say('organisations.reset.title', { name }),
      explain: say('organisations.reset.explain', { userId }),
      doText: say('organisations.list.resetPassword'),
      danger: true,
      act: async () => {
        password = await change.mutateAsync({ userId })
      },
      failedText: 'organisations.reset.failed',
    })
    if (isDone) showPassword(userId, password)
  }
}
