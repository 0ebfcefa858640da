import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../language.ts'

interface Props {
  /** A stop is on its way to the chair, as the server has it. */
  stopping: boolean
  busy: boolean
  onStop: () => void
}

/**
 * STOP, the question whether it is meant, and what became of it. Whatever takes the place of what was pressed gets the
 * focus.
 */
export function StopChair({ stopping, busy, onStop }: Props) {
  const { say } = useTexts()
  const [asking, setAsking] = useState(false)
  const [wasStopping, setWasStopping] = useState(false)
  const part = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState(false)
  const step = stopping ? 'stopping' : asking ? 'asking' : 'running'
  useLayoutEffect(() => {
    if (step === 'stopping') {
      setAsking(false)
      setWasStopping(true)
    }
    if (pressed) part.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [step, pressed])
  const ask = (next: boolean) => {
    setPressed(true)
    setWasStopping(false)
    setAsking(next)
  }
  return (
    // However large the letters are, nobody looks for it; the question has room of its own.
    <div ref={part} class={step === 'running' ? 'bottom' : undefined}>
      {wasStopping && step === 'running' && (
        <p class="problem" role="alert">
          {say('notStopped')}
        </p>
      )}
      {step === 'running' && (
        <button class="danger" type="button" data-first onClick={() => ask(true)}>
          {say('stop')}
        </button>
      )}
      {step === 'asking' && (
        <div class="confirm" role="alertdialog" aria-label={say('stopConfirm')}>
          <p>{say('stopConfirm')}</p>
          <button
            class="danger"
            type="button"
            data-first
            aria-disabled={busy}
            onClick={() => busy || onStop()}
          >
            {busy ? say('stopping') : say('stopYes')}
          </button>
          <button class="secondary" type="button" disabled={busy} onClick={() => ask(false)}>
            {say('stopNo')}
          </button>
        </div>
      )}
      {step === 'stopping' && (
        <p class="confirm" role="status" tabIndex={-1} data-first>
          {say('stopping')}
        </p>
      )}
    </div>
  )
}
