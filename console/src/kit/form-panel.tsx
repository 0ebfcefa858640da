import type { DataOf, Endpoint } from '@chairside/contract'
import { App, Button } from 'antd'
import type { ReactNode } from 'react'
import { useCallForm, type CallFormProps } from './call-form.ts'
import { useTexts } from './language.tsx'
import { useUndo } from './undo.tsx'

interface Props<E extends Endpoint> extends CallFormProps<E> {
  /** Stands above the fields where a screen has several forms. */
  title?: string
  submitText: string
  doneText: string
  /** Whether it offers to be taken back, by the same call with the earlier values; only of a form that is left when it is done. */
  canUndo?: boolean
  onDone?: (data: DataOf<E>) => void
  /** Leaves without sending; without it there is no such button. */
  onLeave?: () => void
  children: (errors: Record<string, string>) => ReactNode
}

/** A form that is a screen, or a part of one; see `useCallForm` for how it behaves. */
export function FormPanel<E extends Endpoint>(props: Props<E>) {
  const { title, submitText, doneText, canUndo = false, onDone, onLeave, children } = props
  const say = useTexts()
  const { message } = App.useApp()
  const offerUndo = useUndo(props.endpoint)
  const { attributes, errors, busy } = useCallForm(props, (data, undo) => {
    if (canUndo && undo) offerUndo(doneText, undo)
    else void message.success(doneText)
    onDone?.(data)
  })
  return (
    <form {...attributes} className="panel form-panel">
      {title !== undefined && <h2>{title}</h2>}
      {children(errors)}
      <div className="dialog-actions">
        {onLeave && <Button onClick={onLeave}>{say('console.form.cancel')}</Button>}
        <Button type="primary" htmlType="submit" loading={busy}>
          {submitText}
        </Button>
      </div>
    </form>
  )
}
