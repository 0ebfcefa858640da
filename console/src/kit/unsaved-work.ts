import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { leaveNewest } from './above-the-page.ts'
import { useConfirm } from './confirm.ts'
import { useTexts } from './language.tsx'

/** Asks each form and dialog on the page whether something in it was changed and not saved. */
const asked = new Set<() => boolean>()

/** Whether leaving the page would lose something. */
export const hasUnsavedWork = (): boolean => [...asked].some((isChanged) => isChanged())

/** The question that is open; whoever would ask meanwhile, as by a second press of Back, waits for its answer. */
let question: Promise<boolean> | undefined

/** Asks whether what was changed may be lost. */
function useDiscardQuestion(): () => Promise<boolean> {
  const say = useTexts()
  const confirm = useConfirm()
  return () => {
    question ??= confirm({
      title: say('console.form.discardTitle'),
      explain: say('console.form.discardExplain'),
      doText: say('console.form.discard'),
      danger: true,
    }).finally(() => {
      question = undefined
    })
    return question
  }
}

interface UnsavedWork {
  /** Says that it was saved as it is at this rendering, whatever was typed since. */
  markSaved: () => void
  /** Asks when something would be lost; answers whether one may leave. */
  mayLeave: () => Promise<boolean>
}

/**
 * Watches over what somebody fills in, while the form or dialog is open: what differs from the beginning, or from what
 * was saved last, is not left behind unasked.
 * @param work everything that is filled in, as plain values; changed back it is unchanged
 */
export function useUnsavedWork(work: unknown): UnsavedWork {
  const now = JSON.stringify(work)
  const saved = useRef(now)
  const newest = useRef(now)
  const mayDiscard = useDiscardQuestion()
  useEffect(() => {
    newest.current = now
  })
  useEffect(() => {
    const isChanged = () => newest.current !== saved.current
    asked.add(isChanged)
    return () => {
      asked.delete(isChanged)
    }
  }, [])
  return {
    markSaved: () => {
      saved.current = now
    },
    mayLeave: async () => newest.current === saved.current || mayDiscard(),
  }
}

/**
 * Asks before another address or the closing of the tab loses unsaved work; used once, around all screens. Back closes
 * what is open above the page, as it does in other apps of a phone, and only then leads to another address.
 */
export function useUnsavedWorkGuard(): void {
  const mayDiscard = useDiscardQuestion()
  useBlocker({
    shouldBlockFn: async ({ action }) => {
      if (action === 'BACK' && leaveNewest()) return true
      return hasUnsavedWork() && !(await mayDiscard())
    },
    enableBeforeUnload: hasUnsavedWork,
  })
}
