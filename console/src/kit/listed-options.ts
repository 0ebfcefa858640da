import type { DataOf, Endpoint, InputOf } from '@chairside/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useRead } from './call.ts'

export interface ListedOption {
  value: string
  label: string
}

/** A call whose answer is something to choose from; declared as a constant. */
export interface OptionSource {
  endpoint: Endpoint
  input: Record<string, unknown>
  optionsOf: (data: unknown) => readonly ListedOption[]
}

/** Declares what a call answers as options. */
export const optionsFrom = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  optionsOf: (data: DataOf<E>) => readonly ListedOption[],
): OptionSource => ({ endpoint, input, optionsOf: optionsOf as OptionSource['optionsOf'] })

/** The state of reading options. */
export type OptionsRead = Pick<UseQueryResult<unknown, Error>, 'isLoading' | 'isError' | 'error' | 'refetch'>

/** The options of a source; none until they are there, and not asked for until they are wanted. */
export function useOptions(
  { endpoint, input, optionsOf }: OptionSource,
  isWanted = true,
): { options: readonly ListedOption[]; read: OptionsRead } {
  const read = useRead(endpoint, input, isWanted)
  return { options: read.data === undefined ? [] : optionsOf(read.data), read }
}
