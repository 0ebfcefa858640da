import { useConfirm } from '../kit/confirm.ts'
import { useTexts } from '../kit/language.tsx'
import { useUser } from '../kit/user.ts'

/** Asks before two-step is activated (spec 1 §8), and before its authenticator is replaced: the earlier one stops working. */
export function useConfirmTwoStep(): () => Promise<boolean> {
  const say = useTexts()
  const confirm = useConfirm()
  const { twoStepEnabled } = useUser()
  return () =>
    confirm({
      title: say(twoStepEnabled ? 'identity.twoStep.againTitle' : 'identity.twoStep.activateTitle'),
      explain: say(twoStepEnabled ? 'identity.twoStep.againExplain' : 'identity.twoStep.activateExplain'),
      doText: say('identity.twoStep.goOn'),
    })
}
