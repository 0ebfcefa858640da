import { App } from 'antd'
import { Copyable } from './copyable.tsx'
import { useTexts } from './language.tsx'

/** Shows a generated password once, with a button that copies it; closed, it is gone (decisions §2). */
export function useShowPassword(): (userName: string, password: string) => void {
  const say = useTexts()
  const { modal } = App.useApp()
  return (userName, password) => {
    modal.success({
      title: say('console.password.title', { userName }),
      content: (
        <>
          <p className="password-shown">
            <Copyable value={password} />
          </p>
          <p>{say('console.password.explain')}</p>
        </>
      ),
      okText: say('console.form.close'),
    })
  }
}
