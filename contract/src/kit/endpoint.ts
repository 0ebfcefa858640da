import type { z } from 'zod'
import type { UserType } from '../identity/user-types.ts'
import type { PermissionKey } from '../permissions.ts'
import type { SheetColumn } from './sheet.ts'
import type { Refusal } from './result-codes.ts'

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: holders of a key (any one of several), anybody signed in, or everybody with the reason why. */
export type Access = { needs: PermissionKey | readonly PermissionKey[] | 'signedIn' } | { open: string }

interface Declaration<
  Path extends string,
  Input extends z.ZodObject,
  Data extends z.ZodType,
  Refuses extends readonly Refusal[],
> {
  verb: Verb
  /** Further verbs that do the same (decisions §1, "Verbs"). */
  also?: readonly Verb[]
  /** Path parameters (`:orderId`) are fields of the input. */
  path: Path
  summary: string
  /** User types that may call; all when absent. */
  types?: readonly UserType[]
  /** Name of the audit record; required for calls that change something. */
  audit?: string
  /** Calls of one caller within a minute; the door's general limit applies when absent. */
  perMinute?: number
  input: Input
  data: Data
  refuses: Refuses
  /** Also answered while a first password has yet to be changed (decisions §2). */
  beforePasswordChange?: true
  /** The field that is a file, in a multipart form; the handler gets at most one byte more than `maxBytes` of it. */
  takesFile?: { field: string; maxBytes: number }
  /** Media type of the file that is answered raw in place of the envelope; the handler gives its bytes. */
  file?: string
  /** A list that is also answered as an Excel file. */
  sheet?: { fileName: string; columns: readonly SheetColumn[] }
}

export type Endpoint<
  Path extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Data extends z.ZodType = z.ZodType,
  Refuses extends readonly Refusal[] = readonly Refusal[],
> = Declaration<Path, Input, Data, Refuses> & Access

/** What a caller sends. */
export type InputOf<E extends Endpoint> = z.input<E['input']>
/** What a handler receives. */
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
/** What an accepted call answers. */
export type DataOf<E extends Endpoint> = z.output<E['data']>
/** What the call may refuse with, beyond what the door itself refuses. */
export type RefusalOf<E extends Endpoint> = E['refuses'][number]

/**
 * Declares a call once, for server, console, documentation and generated tests.
 * `needs` or `open` is required: a call for nobody in particular does not compile.
 */
export function endpoint<
  const Path extends string,
  Input extends z.ZodObject,
  Data extends z.ZodType,
  const Refuses extends readonly Refusal[],
>(declaration: Declaration<Path, Input, Data, Refuses> & Access): Endpoint<Path, Input, Data, Refuses> {
  return declaration
}
