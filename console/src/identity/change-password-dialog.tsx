import { changePassword, passwordMinLength } from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'

interface Props {
  onClose: () => void
  /** A generated password has to be changed first: leaving the dialog signs out. */
  onLogout?: () => void
}

const fields = ['oldPassword', 'newPassword', 'newPasswordAgain'] as const
const labels = {
  oldPassword: 'identity.password.old',
  newPassword: 'identity.password.new',
  newPasswordAgain: 'identity.password.again',
} as const

/** Changes one's own password (spec 1 §§2, 5). */
export function ChangePasswordDialog({ onClose, onLogout }: Props) {
  const say = useTexts()
  const isFirst = onLogout !== undefined
  const [typed, setTyped] = useState({ oldPassword: '', newPassword: '', newPasswordAgain: '' })
  const { oldPassword, newPassword, newPasswordAgain } = typed
  const check = (): Record<string, string> => ({
    ...(newPassword !== '' && newPassword === oldPassword
      ? { newPassword: say('identity.password.notNew') }
      : {}),
    ...(newPasswordAgain !== '' && newPassword !== newPasswordAgain
      ? { newPasswordAgain: say('identity.password.notSame') }
      : {}),
  })
  return (
    <FormDialog
      title={say(isFirst ? 'identity.password.firstTitle' : 'identity.password.change')}
      endpoint={changePassword}
      input={typed}
      check={check}
      submitText={say('identity.password.change')}
      doneText={say('identity.password.changed')}
      {...(isFirst ? { leaveText: say('console.header.logout'), onLeave: onLogout } : {})}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {isFirst && <p>{say('identity.password.firstExplain')}</p>}
          {fields.map((name, index) => (
            <FormField
              key={name}
              name={name}
              label={say(labels[name])}
              error={errors[name]}
              hint={
                name === 'newPassword'
                  ? say('identity.password.atLeast', { min: passwordMinLength })
                  : undefined
              }
              required
            >
              {(attributes) => (
                <Input.Password
                  {...attributes}
                  autoFocus={index === 0}
                  autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'}
                  maxLength={200}
                  value={typed[name]}
                  onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
                />
              )}
            </FormField>
          ))}
        </>
      )}
    </FormDialog>
  )
}
