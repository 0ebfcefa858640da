import type { DataOf, Endpoint, ParsedInputOf, RefusalOf, Refusal } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import type { Logger } from 'pino'
import type { Actor, Principal } from './principal.ts'
import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

/** Ends a call with a refusal; the door turns it into the envelope and rolls the transaction back. */
export class RefusedError extends Error {
  readonly refusal: Refusal
  readonly fields: Record<string, string> | undefined
  readonly data: unknown

  constructor(refusal: Refusal, options: { fields?: Record<string, string>; data?: unknown } = {}) {
    super(refusal)
    this.refusal = refusal
    this.fields = options.fields
    this.data = options.data
  }
}

/** What a handler gets. A reading call's `db` is the pool, a changing call's is its transaction. */
export interface CallContext<E extends Endpoint = Endpoint> {
  db: Database
  input: ParsedInputOf<E>
  /** Who calls; a fault of the program in an open call, where there is nobody. */
  caller(): Principal
  /** The caller's token; empty for open calls. */
  token: string
  scope: Scope
  language: Language
  now: Date
  log: Logger
  /** The caller's network address. */
  address: string
  /** Value of a cookie the caller sent. */
  cookie(name: string): string | undefined
  setCookie(name: string, value: string, options: { path: string; maxAgeSeconds: number }): void
  userAgent: string
  /** The media types the caller asks for. */
  accept: string
  /** For calls that answer a file: its media type when it is not the declared one, and the name to keep it under. */
  describeFile(file: { type?: string; name?: string }): void
  /** Refuses with a code that the call declares. */
  refuse(refusal: RefusalOf<E>, data?: unknown): never
  /** Refuses with a message key (`validation.*`) at a field. */
  refuseField(
    field: keyof ParsedInputOf<E> & string,
    messageKey: string,
    values?: Record<string, string | number>,
  ): never
  /** Refuses with message keys at several fields, so that all of them are mended at once. */
  refuseFields(messageKeys: Partial<Record<keyof ParsedInputOf<E> & string, string>>): never
  /**
   * Adds to the audit record of a call that has one; `by` says who it was where nobody is signed in yet. A trial, which
   * changes nothing, leaves none.
   */
  audit(details: { target?: string; before?: unknown; after?: unknown; by?: Actor; isTrial?: boolean }): void
}

/** A call ready to be served. */
export interface Call {
  endpoint: Endpoint
  /** Set when the handler opens transactions of its own, because it waits for a provider or a device in between. */
  ownTransactions?: boolean
  /** Set when the handler does nothing but read, so that it may begin before it is certain who calls. */
  readsOnly?: boolean
  run(context: CallContext): Promise<unknown>
  /** Rows of a list, some at a time, for lists that leave as a stream. */
  rows?: (context: CallContext) => AsyncIterable<Record<string, unknown>[]>
  /** Set for a call that answers a stream of events. */
  feed?: (context: CallContext, wake: () => void) => Promise<EventFeed>
}

export interface StreamedEvent {
  event: string
  data: unknown
}

/** What a listener is sent. It keeps what is new, not what happened: a slow reader gets the latest. */
export interface EventFeed {
  /** What is new since it was asked last. */
  take(): readonly StreamedEvent[]
  close(): void
}

/** Serves a call that was declared in the contract. */
export function handle<E extends Endpoint>(
  endpoint: E,
  run: (context: CallContext<E>) => Promise<DataOf<E>>,
): Call {
  return { endpoint, run: run as Call['run'] }
}

/**
 * Serves a call that does nothing but read. It may be run for whoever had the token the last time while that is still
 * being checked; what it found is answered only if that proves true.
 */
export function handleReading<E extends Endpoint>(
  endpoint: E,
  run: (context: CallContext<E>) => Promise<DataOf<E>>,
): Call {
  return { endpoint, run: run as Call['run'], readsOnly: true }
}

/**
 * Serves a call that waits for the outside world: `db` is the pool, and the handler runs its own short transactions
 * before and after, so that no row stays locked meanwhile.
 */
export function handleOutside<E extends Endpoint>(
  endpoint: E,
  run: (context: CallContext<E>) => Promise<DataOf<E>>,
): Call {
  return { endpoint, run: run as Call['run'], ownTransactions: true }
}

/**
 * Serves a call that goes on telling what happens (server-sent events). `begin` refuses or opens the feed, which calls
 * `wake` when something may be new; the door ends it with the session, with the caller's rights and with the server.
 */
export function handleEvents<E extends Endpoint>(
  endpoint: E,
  begin: (context: CallContext<E>, wake: () => void) => Promise<EventFeed>,
): Call {
  const run = () => Promise.reject(new Error('a stream of events has no single answer'))
  return { endpoint, run, feed: begin as NonNullable<Call['feed']> }
}

type RowOf<E extends Endpoint> = DataOf<E> extends { list: (infer Row)[] } ? Row : never

/**
 * Serves a list: `page` answers up to `streamedFrom` rows at once, `rows` yields all that match, some at a
 * time, in the same order and in flat memory, for larger pages and for Excel.
 */
export function handleList<E extends Endpoint>(
  endpoint: E,
  parts: {
    page(context: CallContext<E>): Promise<DataOf<E>>
    rows(context: CallContext<E>): AsyncIterable<RowOf<E>[]>
  },
): Call {
  return {
    endpoint,
    run: parts.page as Call['run'],
    readsOnly: true,
    rows: parts.rows as unknown as NonNullable<Call['rows']>,
  }
}

/** Rows asked for in one page from which on the answer is streamed. */
export const streamedFrom = 1000
