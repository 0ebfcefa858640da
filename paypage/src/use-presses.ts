import { useState } from 'preact/hooks'
import { Refused } from './api.ts'
import { useTexts } from './language.ts'

/** Result code of what is not possible as things stand. */
const notPossible = '105'

/** One press at a time; what the server refuses is shown where the press was. */
export function usePresses(onReload: () => void) {
  const { say } = useTexts()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  /** How many tries the server has ended: the next one is another order. */
  const [endedTries, setEndedTries] = useState(0)
  const during = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : say('noConnection'))
      if (error instanceof Refused && error.hasEnded) setEndedTries(endedTries + 1)
      // What is shown is not so any more.
      if (error instanceof Refused && error.code === notPossible) onReload()
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, endedTries, during }
}
