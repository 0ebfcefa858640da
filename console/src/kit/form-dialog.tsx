import type { DataOf, Endpoint } from '@chairside/contract'
import { App, Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useCallForm, type CallFormProps } from './call-form.ts'
import { useTexts } from './language.tsx'
import { useAboveThePage } from './above-the-page.ts'
import { OnceOpen } from './once-open.tsx'
import { useUndo } from './undo.tsx'

interface Props<E extends Endpoint> extends CallFormProps<E> {
  title: string
  submitText: string
  danger?: boolean
  doneText: string | ((data: DataOf<E>) => string)
  /** The word on the button that leaves; "cancel" when absent. */
  leaveText?: string
  /** Whether it can be taken back by the same call with what the dialog began with; never where money moves. */
  canUndo?: boolean
  /** What was answered, when somebody waits for it; the dialog closes before. */
  onDone?: (data: DataOf<E>) => void
  onClose: () => void
  /** Called in place of `onClose` when somebody leaves without sending. */
  onLeave?: () => void
  children: (errors: Record<string, string>) => ReactNode
}

/** A dialog that changes something; see `useCallForm` for how it behaves. */
export function FormDialog<E extends Endpoint>(props: Props<E>) {
  const {
    title,
    submitText,
    danger = false,
    canUndo = false,
    doneText,
    onClose,
    onLeave = onClose,
    children,
  } = props
  const say = useTexts()
  const { message } = App.useApp()
  const offerUndo = useUndo(props.endpoint)
  const { attributes, errors, busy, mayLeave } = useCallForm(props, (data, undo) => {
    const done = typeof doneText === 'string' ? doneText : doneText(data)
    if (canUndo && undo) offerUndo(done, undo)
    else void message.success(done)
    onClose()
    props.onDone?.(data)
  })
  const leave = async () => {
    if (!busy && (await mayLeave())) onLeave()
  }
  useAboveThePage(leave)
  return (
    <Modal
      open
      title={title}
      onCancel={leave}
      footer={null}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <OnceOpen>
        <form {...attributes}>
          {children(errors)}
          <div className="dialog-actions">
            <Button onClick={leave}>{props.leaveText ?? say('console.form.cancel')}</Button>
            <Button type="primary" danger={danger} htmlType="submit" loading={busy}>
              {submitText}
            </Button>
          </div>
        </form>
      </OnceOpen>
    </Modal>
  )
}
