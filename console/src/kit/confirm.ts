import { App } from 'antd'
import { useTexts } from './language.tsx'

export interface Question {
  title: string
  /** What will happen. */
  explain: string
  /** The word on the button that does it. */
  doText: string
  danger?: boolean
  /** Done while the dialog waits; what it throws is told, and the dialog goes. */
  act?: () => Promise<unknown>
  /** How a failure of `act` is told; as every failed operation when absent. */
  sayFailed?: (reason: string) => string
}

/** Asks before something is done, saying what will happen; answers whether it was done. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const say = useTexts()
  const { modal, message } = App.useApp()
  const sayAnyFailed = (reason: string) => say('console.form.failed', { reason })
  return ({ title, explain, doText, danger = false, act, sayFailed = sayAnyFailed }) =>
    new Promise((resolve) => {
      modal.confirm({
        title,
        content: explain,
        okText: doText,
        okButtonProps: { danger },
        cancelText: say('console.form.cancel'),
        onOk: async () => {
          try {
            await act?.()
            resolve(true)
          } catch (error) {
            void message.error(sayFailed((error as Error).message))
            resolve(false)
          }
        },
        onCancel: () => resolve(false),
      })
    })
}
