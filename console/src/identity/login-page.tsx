import { login } from '@chairside/contract'
import { GlobalOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Checkbox, Input } from 'antd'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useAddress } from '../kit/address.ts'
import { browserStorage } from '../kit/browser-storage.ts'
import { call, CallError } from '../kit/call.ts'
import { useFieldErrors } from '../kit/field-errors.ts'
import { FormField } from '../kit/form-field.tsx'
import { inputErrors } from '../kit/form-rules.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { Mark } from '../kit/mark.tsx'
import { PageTitle } from '../kit/screen-header.tsx'
import { clearSession, storeSession } from '../kit/session.ts'
import './identity.css'

const rememberedKey = 'REMEMBERED_USER'
const rememberedUser = () => browserStorage.getItem(rememberedKey) ?? ''

const twoStepNeeded = '001'

/** Sign-in (spec 1 §2). Coming here forgets the session of before. */
export function LoginPage() {
  const say = useTexts()
  const { language, setLanguage } = useLanguage()
  const other =
    language === 'en' ? ({ tag: 'zh-CN', name: '中文' } as const) : ({ tag: 'en', name: 'English' } as const)
  useState(clearSession)
  return (
    <main className="login">
      <PageTitle>{`${say('console.login.title')} · ${say('console.app.name')}`}</PageTitle>
      <div className="login-card">
        <div className="login-brand">
          <Mark size={44} />
          <div>
            <h1>{say('console.app.name')}</h1>
            <p className="hint">{say('console.login.tagline')}</p>
          </div>
        </div>
        <LoginForm />
        <Button
          type="text"
          block
          icon={<GlobalOutlined aria-hidden />}
          lang={other.tag}
          onClick={() => setLanguage(other.tag)}
        >
          {other.name}
        </Button>
      </div>
    </main>
  )
}

function LoginForm() {
  const say = useTexts()
  const { language } = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [address] = useAddress()
  const [typed, setTyped] = useState({ username: rememberedUser(), password: '', otp: '' })
  const [remembers, setRemembers] = useState(rememberedUser() !== '')
  const [asksCode, setAsksCode] = useState(false)
  const findErrors = () => ({
    ...inputErrors(login, typed, language),
    ...(asksCode && typed.otp.trim() === '' ? { otp: say('refusals.twoStepNeeded') } : {}),
  })
  const { form, errors, check, showErrors } = useFieldErrors(typed, findErrors)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !check()) return
    setBusy(true)
    setProblem('')
    try {
      const user = await call(login, { ...typed, ...('agent' in address ? { agent: true } : {}) })
      storeSession(user)
      if (remembers) browserStorage.setItem(rememberedKey, user.userName)
      else browserStorage.removeItem(rememberedKey)
      queries.clear()
      // Back must not come here again: it would end the session.
      await navigate({ to: '/', replace: true })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === twoStepNeeded) setAsksCode(true)
      showErrors(error.fields)
      setProblem(say('console.login.failed', { reason: error.message }))
    } finally {
      setBusy(false)
    }
  }
  const type = (name: keyof typeof typed, value: string) => {
    // Whether a code is needed is known of one user, not of the next one.
    if (name === 'username' && asksCode) {
      setAsksCode(false)
      setTyped({ ...typed, username: value, otp: '' })
    } else setTyped({ ...typed, [name]: value })
  }
  const field = (
    name: keyof typeof typed,
    label: string,
    draw: (attributes: Record<string, unknown>) => ReactNode,
  ) => (
    <FormField name={name} label={label} error={errors[name]} required>
      {(attributes) =>
        draw({
          ...attributes,
          value: typed[name],
          onChange: ({ target: { value } }: { target: { value: string } }) => type(name, value),
        })
      }
    </FormField>
  )
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {'expired' in address && <Alert type="warning" showIcon title={say('console.login.expired')} />}
      {'agent' in address && <Alert type="info" showIcon title={say('console.login.agentOnly')} />}
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      {field('username', say('console.login.userName'), (attributes) => (
        <Input
          {...attributes}
          size="large"
          autoFocus={rememberedUser() === ''}
          autoComplete="username"
          maxLength={50}
        />
      ))}
      {field('password', say('console.login.password'), (attributes) => (
        <Input.Password
          {...attributes}
          size="large"
          autoFocus={rememberedUser() !== ''}
          autoComplete="current-password"
          maxLength={200}
        />
      ))}
      {asksCode &&
        field('otp', say('console.login.otp'), (attributes) => (
          <Input
            {...attributes}
            size="large"
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
          />
        ))}
      <Checkbox
        className="login-remember"
        checked={remembers}
        onChange={({ target }) => setRemembers(target.checked)}
      >
        {say('console.login.remember')}
      </Checkbox>
      <Button type="primary" htmlType="submit" block size="large" loading={busy}>
        {say('console.login.submit')}
      </Button>
    </form>
  )
}
