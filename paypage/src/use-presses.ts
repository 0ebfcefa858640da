import { useEffect, useState } from 'preact/hooks'
import { Refused, type PayOrder } from './api.ts'
import { useTexts } from './language.ts'

/** Result code of what is not possible as things stand. */
const notPossible = '105'

/**
 * One press at a time; what the server refuses is shown where the press was, until what can be pressed there is another.
 * A press that was lost is the customer's to repeat, after a look whether it arrived all the same.
 */
export function usePresses(onReload: () => void, phase: PayOrder['phase'] | undefined) {
  const { say } = useTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  /** How many tries the server has ended: the next one is another order. */
  const [endedTries, setEndedTries] = useState(0)
  useEffect(() => setProblem(''), [phase])
  const during = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      const refusal = error instanceof Refused ? error : undefined
      setProblem(refusal ? refusal.message : say('pressLost'))
      if (refusal?.hasEnded) setEndedTries(endedTries + 1)
      // What is shown is not so any more, or may not be.
      if (!refusal || refusal.code === notPossible) onReload()
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, endedTries, during }
}
