import { resetTwoStep } from '@chairside/contract'
import { App } from 'antd'
import { useChange } from './call.ts'
import { useConfirm } from './confirm.ts'
import { useTexts } from './language.tsx'

/** Asks, and takes the authenticator from a user who lost it (decisions §2). */
export function useResetTwoStep(userName: string): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const change = useChange(resetTwoStep)
  return async () => {
    const isDone = await confirm({
      title: say('identity.account.resetTwoStepTitle', { name: userName }),
      explain: say('identity.account.resetTwoStepExplain', { name: userName }),
      doText: say('identity.account.resetTwoStep'),
      danger: true,
      act: () => change.mutateAsync({ userName }),
    })
    if (isDone) void message.success(say('console.form.done'))
  }
}
