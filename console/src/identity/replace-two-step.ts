import { useConfirm } from '../kit/confirm.ts'
import { useTexts } from '../kit/language.tsx'
import { useUser } from '../kit/user.ts'

/** Asks before an authenticator is replaced: the earlier one stops working (spec 1 §2). */
export function useReplaceTwoStep(): () => Promise<boolean> {
  const say = useTexts()
  const confirm = useConfirm()
  const { twoStepEnabled } = useUser()
  return async () =>
    !twoStepEnabled ||
    confirm({
      title: say('identity.twoStep.againTitle'),
      explain: say('identity.twoStep.againExplain'),
      doText: say('identity.twoStep.goOn'),
    })
}
