import { textLimit, type ListedAccount } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useShowPassword } from '../kit/password-shown.tsx'
import { adminUsers, type AccountCalls } from './account-calls.ts'

interface Props {
  calls: AccountCalls
  /** The account that is edited; a new one is made without it. */
  account?: ListedAccount | undefined
  onClose: () => void
}

/** A name that is already taken is reported where it was typed. */
const refusedAt = { '106': 'userName' } as const

/** Adds an account, whose first password is shown once, or changes the names of one (spec 1 §§2, 5). */
export function AccountDialog({ calls, account, onClose }: Props) {
  const say = useTexts()
  const showPassword = useShowPassword()
  const [typed, setTyped] = useState({
    userName: account?.userName ?? '',
    realName: account?.realName ?? '',
    twoStepRequired: account?.twoStepRequired ?? false,
  })
  // A sub-account keeps the name it was made with; an admin user may get another.
  const keepsName = calls !== adminUsers
  const isFixed = keepsName && account !== undefined
  const nameHint = keepsName ? 'identity.account.userNameHint' : 'identity.account.adminNameHint'
  const fields = (errors: Record<string, string>) => (
    <>
      {(['userName', 'realName'] as const).map((name) => (
        <FormField
          key={name}
          name={name}
          label={say(`identity.account.${name}`)}
          error={errors[name]}
          hint={name === 'userName' ? say(nameHint) : undefined}
          required
        >
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus={name === (isFixed ? 'realName' : 'userName')}
              autoComplete="off"
              disabled={name === 'userName' && isFixed}
              maxLength={textLimit(calls.add, name)}
              value={typed[name]}
              onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
            />
          )}
        </FormField>
      ))}
      <Checkbox
        checked={typed.twoStepRequired}
        onChange={(event) => setTyped({ ...typed, twoStepRequired: event.target.checked })}
      >
        {say('identity.account.twoStepRequired')}
      </Checkbox>
    </>
  )
  if (account) {
    return (
      <FormDialog
        title={say('identity.account.editTitle', { name: account.userName })}
        endpoint={calls.modify}
        input={{ ...typed, id: account.id }}
        refusedAt={refusedAt}
        submitText={say('identity.account.save')}
        doneText={say('identity.account.updated')}
        // An admin user signs in with what may have been changed here.
        canUndo={keepsName}
        onClose={onClose}
      >
        {fields}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={say(calls.addTitle)}
      endpoint={calls.add}
      input={typed}
      refusedAt={refusedAt}
      submitText={say('identity.account.add')}
      doneText={say('identity.account.added')}
      onDone={({ userName, password }) => showPassword(userName, password)}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
