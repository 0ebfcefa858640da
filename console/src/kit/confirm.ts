import type { TextKey } from '@chairside/contract/locales/texts'
import { App } from 'antd'
import { standAbove } from './above-the-page.ts'
import { rescueFocus } from './kept-focus.ts'
import { useTexts } from './language.tsx'

export interface Question {
  title: string
  /** What will happen. */
  explain: string
  /** The word on the button that does it. */
  doText: string
  danger?: boolean
  /** Done while the dialog waits; what it throws is reported, and the dialog closes. */
  act?: () => Promise<unknown>
  /** The words of a failure of `act`, with its reason; those of any operation when absent. */
  failedText?: TextKey
}

/** Asks before something is done, saying what will happen; answers whether it was done. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const say = useTexts()
  const { modal, message } = App.useApp()
  return ({ title, explain, doText, danger = false, act, failedText = 'console.form.failed' }) =>
    new Promise((resolve) => {
      let isActing = false
      const dialog = modal.confirm({
        title,
        content: explain,
        okText: doText,
        okButtonProps: { danger },
        // An Enter too many does nothing that cannot be taken back.
        autoFocusButton: danger ? 'cancel' : 'ok',
        cancelText: say('console.form.cancel'),
        afterClose: () => {
          isGone()
          rescueFocus()
        },
        onOk: async () => {
          isActing = true
          // Whoever left now would think it was not done, and nobody would see a new password.
          if (act) dialog.update({ cancelButtonProps: { disabled: true }, keyboard: false })
          try {
            await act?.()
            resolve(true)
          } catch (error) {
            void message.error(say(failedText, { reason: (error as Error).message }))
            resolve(false)
          }
        },
        onCancel: () => resolve(false),
      })
      const isGone = standAbove(() => {
        if (isActing) return
        dialog.destroy()
        resolve(false)
      })
    })
}
