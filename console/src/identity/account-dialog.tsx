import { textLimit, type SubAccountRow } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useShowPassword } from '../kit/password-shown.tsx'
import type { AccountCalls } from './account-calls.ts'

interface Props {
  calls: AccountCalls
  /** The account that is edited; a new one is made without it. */
  account?: SubAccountRow | undefined
  onClose: () => void
}

/** Adds an account, whose first password is shown once, or changes the name of one (spec 1 §§2, 5). */
export function AccountDialog({ calls, account, onClose }: Props) {
  const say = useTexts()
  const showPassword = useShowPassword()
  const [typed, setTyped] = useState({
    userName: account?.userName ?? '',
    realName: account?.realName ?? '',
    twoStepRequired: account?.twoStepRequired ?? false,
  })
  const fields = (errors: Record<string, string>) => (
    <>
      {(['userName', 'realName'] as const).map((name) => (
        <FormField
          key={name}
          name={name}
          label={say(`identity.account.${name}`)}
          error={errors[name]}
          hint={name === 'userName' ? say('identity.account.userNameHint') : undefined}
          required
        >
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus={name === (account ? 'realName' : 'userName')}
              autoComplete="off"
              disabled={name === 'userName' && account !== undefined}
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
        submitText={say('identity.account.save')}
        doneText={say('identity.account.updated')}
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
      submitText={say('identity.account.add')}
      doneText={say('identity.account.added')}
      onDone={({ userName, password }) => showPassword(userName, password)}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}
