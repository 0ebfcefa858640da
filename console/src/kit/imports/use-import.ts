import { importLimits, type ImportEndpoint, type ImportOutcome } from '@chairside/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callWithFile, type CallError, fieldErrorsOf, networkFailureCode, readAnew } from '../call.ts'
import { useTexts } from '../language.tsx'

/**
 * How far an import has come: a file is chosen, checked, imported; `outcome` is of the last that was done. A file that
 * was not answered for `mayRetry`.
 */
export type ImportStage<Outcome> =
  | { at: 'choosing' }
  | { at: 'refused'; file: File; fault: string; mayRetry: boolean }
  | { at: 'checking'; file: File }
  | { at: 'checked' | 'importing'; file: File; outcome: Outcome; failure?: string }
  | { at: 'done'; file: File; outcome: Outcome }

const importedAlreadyCode = '106'
const megabyte = 1024 * 1024

/** A file as it is now: what becomes of it on the disk afterwards changes nothing. */
const heldFile = async (file: File) => new File([await file.arrayBuffer()], file.name, { type: file.type })

interface Options<Outcome extends ImportOutcome> {
  endpoint: ImportEndpoint<Outcome>
  /** What the rows are added to, by its fields. */
  target: Readonly<Record<string, string>>
  onDone: (outcome: Outcome) => void
}

/** Sends a file twice: to learn what would happen and, when that is confirmed, to import it. */
export function useImport<Outcome extends ImportOutcome>({ endpoint, target, onDone }: Options<Outcome>) {
  const say = useTexts()
  const client = useQueryClient()
  const [stage, setStage] = useState<ImportStage<Outcome>>({ at: 'choosing' })
  /** A newer choice takes the place of one that is being looked through. */
  const latest = useRef<File>(undefined)

  const send = (file: File, fields: Readonly<Record<string, string>>) =>
    callWithFile(endpoint, { ...target, ...fields }, file) as Promise<Outcome>

  const check = async (file: File, failure?: string) => {
    latest.current = file
    setStage({ at: 'checking', file })
    try {
      const outcome = await send(file, { dryrun: '1' })
      if (latest.current === file)
        setStage({ at: 'checked', file, outcome, ...(failure === undefined ? {} : { failure }) })
    } catch (error) {
      const atFile = fieldErrorsOf(error)['file']
      const fault = atFile ?? (error as Error).message
      if (latest.current === file) setStage({ at: 'refused', file, fault, mayRetry: atFile === undefined })
    }
  }
  const choose = async (chosen: File) => {
    if (chosen.size <= importLimits.bytes) return check(await heldFile(chosen))
    latest.current = chosen
    const fault = say('imports.fault.tooLarge', { max: importLimits.bytes / megabyte })
    setStage({ at: 'refused', file: chosen, fault, mayRetry: false })
  }
  const confirm = async (file: File, outcome: Outcome) => {
    setStage({ at: 'importing', file, outcome })
    const again: Record<string, string> = outcome.repeats ? { again: String(outcome.repeats.id) } : {}
    try {
      const done = await send(file, again)
      setStage({ at: 'done', file, outcome: done })
      onDone(done)
      void readAnew(client)
    } catch (error) {
      const { code, message: reason } = error as CallError
      // Somebody else, or an attempt whose answer was lost, was quicker: the outcome would be another one now.
      if (code === importedAlreadyCode) await check(file, reason)
      else {
        const failure = say(code === networkFailureCode ? 'imports.unanswered' : 'imports.failed', { reason })
        setStage({ at: 'checked', file, outcome, failure })
      }
    }
  }
  return { stage, choose, check, confirm }
}
