import type { Endpoint, InputOf } from '@chairside/contract'
import { App, Button } from 'antd'
import { useChange } from './call.ts'
import { failedTextOf } from './failed-text.ts'
import { useTexts } from './language.tsx'

const offeredSeconds = 8
const messageKey = 'undo'

/** Says that an edit was done and offers for a while to take it back, by making the same call with the earlier values. */
export function useUndo<E extends Endpoint>(endpoint: E): (doneText: string, before: InputOf<E>) => void {
  const say = useTexts()
  const { message } = App.useApp()
  const change = useChange(endpoint)
  const undo = async (before: InputOf<E>) => {
    try {
      await change.mutateAsync(before)
      void message.success({ key: messageKey, content: say('console.form.undone') })
    } catch (error) {
      const reason = (error as Error).message
      void message.error({ key: messageKey, content: say(failedTextOf(endpoint), { reason }) })
    }
  }
  return (doneText, before) =>
    void message.success({
      key: messageKey,
      duration: offeredSeconds,
      content: (
        <>
          {doneText}{' '}
          <Button type="link" size="small" onClick={() => void undo(before)}>
            {say('console.form.undo')}
          </Button>
        </>
      ),
    })
}
