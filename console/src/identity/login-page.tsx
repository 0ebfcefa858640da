import { login, passwordMinLength } from '@chairside/contract'
import { GlobalOutlined } from '@ant-design/icons'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { useState, type FormEvent } from 'react'
import { Mark } from '../kit/mark.tsx'
import { useAddress } from '../kit/address.ts'
import { call, type CallError } from '../kit/call.ts'
import { FormField } from '../kit/form-dialog.tsx'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { clearSession, storeSession } from '../kit/session.ts'

const twoStepNeeded = '001'

/** Sign-in (spec 1 §2). Coming here forgets the session of before. */
export function LoginPage() {
  const say = useTexts()
  const { language, setLanguage } = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [address] = useAddress()
  const [typed, setTyped] = useState({ username: '', password: '', otp: '' })
  const [asksCode, setAsksCode] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  useState(clearSession)

  const check = (): Record<string, string> => ({
    ...(typed.username.trim() === '' ? { username: say('console.form.required') } : {}),
    ...(typed.password === ''
      ? { password: say('console.form.required') }
      : typed.password.length < passwordMinLength
        ? { password: say('validation.tooShort', { min: passwordMinLength }) }
        : {}),
    ...(asksCode && typed.otp.trim() === '' ? { otp: say('console.form.required') } : {}),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = check()
    setErrors(found)
    if (busy || Object.keys(found).length > 0) return
    setBusy(true)
    setProblem('')
    try {
      const user = await call(login, { ...typed, ...('agent' in address ? { agent: true } : {}) })
      storeSession(user)
      queries.clear()
      await navigate({ to: '/' })
    } catch (error) {
      const { code, message, fields } = error as CallError
      if (code === twoStepNeeded) setAsksCode(true)
      setErrors(fields ?? {})
      setProblem(say('console.login.failed', { reason: message }))
    } finally {
      setBusy(false)
    }
  }
  const change = (name: keyof typeof typed) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [name]: event.target.value })
  return (
    <main className="login">
      <div className="login-card">
        <div className="login-brand">
          <Mark size={40} />
          <h1>{say('console.app.name')}</h1>
        </div>
        {'expired' in address && (
          <Alert type="warning" showIcon title={say('console.login.expired')} style={{ marginBottom: 12 }} />
        )}
        {'agent' in address && (
          <Alert type="info" showIcon title={say('console.login.agentOnly')} style={{ marginBottom: 12 }} />
        )}
        {problem && <Alert type="error" showIcon title={problem} style={{ marginBottom: 12 }} role="alert" />}
        <form onSubmit={submit} noValidate>
          <FormField
            name="username"
            label={say('console.login.userName')}
            error={errors['username']}
            required
          >
            {(attributes) => (
              <Input
                {...attributes}
                autoFocus
                autoComplete="username"
                maxLength={50}
                value={typed.username}
                onChange={change('username')}
              />
            )}
          </FormField>
          <FormField
            name="password"
            label={say('console.login.password')}
            error={errors['password']}
            required
          >
            {(attributes) => (
              <Input.Password
                {...attributes}
                autoComplete="current-password"
                maxLength={200}
                value={typed.password}
                onChange={change('password')}
              />
            )}
          </FormField>
          {asksCode && (
            <FormField name="otp" label={say('console.login.otp')} error={errors['otp']} required>
              {(attributes) => (
                <Input
                  {...attributes}
                  autoFocus
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  maxLength={10}
                  value={typed.otp}
                  onChange={change('otp')}
                />
              )}
            </FormField>
          )}
          <Button type="primary" htmlType="submit" block size="large" loading={busy}>
            {say('console.login.submit')}
          </Button>
        </form>
        <Button
          type="text"
          block
          icon={<GlobalOutlined />}
          lang={language === 'en' ? 'zh-CN' : 'en'}
          style={{ marginTop: 8 }}
          onClick={() => setLanguage(language === 'en' ? 'zh-CN' : 'en')}
        >
          {language === 'en' ? '中文' : 'English'}
        </Button>
      </div>
    </main>
  )
}
