import { App } from 'antd'
import { standAbove } from './above-the-page.ts'
import { Copyable } from './copyable.tsx'
import { useTexts } from './language.tsx'

/** Shows a password once, with a button that copies it; closed, it is gone. Back does not close it. */
export function useShowOnce(): (title: string, password: string, explain: string) => void {
  const say = useTexts()
  const { modal } = App.useApp()
  return (title, password, explain) => {
    const isGone = standAbove(() => undefined)
    modal.success({
      title,
      content: (
        <>
          <p className="password-shown">
            <Copyable value={password} />
          </p>
          <p>{explain}</p>
        </>
      ),
      okText: say('console.form.close'),
      afterClose: isGone,
    })
  }
}

/** Shows the generated password of a user (decisions §2). */
export function useShowPassword(): (userName: string, password: string) => void {
  const say = useTexts()
  const show = useShowOnce()
  return (userName, password) =>
    show(say('console.password.title', { userName }), password, say('console.password.explain'))
}
