import type { DataOf, Endpoint, Envelope, InputOf } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useIsSomebodyThere } from './attendance.ts'
import { currentLanguage } from './language.tsx'
import { tellRenewal } from './other-tabs.ts'
import { clearSession, readToken, storeToken } from './session.ts'
import { keepWantedAddress } from './wanted-address.ts'

/** A call that was not accepted: refused by the server, or lost on the way (code 191, spec 1 §8). */
export class CallError extends Error {
  readonly code: string
  readonly fields: Record<string, string>
  constructor(code: string, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

/** Code of a call that was lost on the way (spec 1 §8). */
export const networkFailureCode = '191'
const sessionEnded = new Set(['02000', '02001'])
const tokenHeader = 'x-access-token'

/** Messages by field of a call that was refused for its input; empty for every other outcome. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof CallError ? error.fields : {}

/** A refusal stays one however often it is asked; only what was lost on the way is tried once more. */
export const mayRetry = (failures: number, error: unknown): boolean =>
  failures < 1 && (!(error instanceof CallError) || error.code === networkFailureCode)

/** Where a call goes: path parameters put in, the other fields as a query for reading calls. */
export function requestOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): { url: string; body: Record<string, unknown> | undefined } {
  const rest: Record<string, unknown> = { ...input }
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (endpoint.verb !== 'GET') return { url: path, body: rest }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined && value !== '') query.set(name, String(value))
  const text = query.toString()
  return { url: text ? `${path}?${text}` : path, body: undefined }
}

/** The token that an answer was asked for with, of those that were asked for with one. */
const askedWith = new WeakMap<Response, string>()

/** An answer to a token that another one has replaced since says nothing about who is signed in now. */
const isOfEarlierToken = (response: Response): boolean => {
  const token = askedWith.get(response)
  const now = readToken()
  return token !== undefined && now !== null && now !== token
}

interface Sent {
  verb?: string
  accept?: string
  /** Sent as JSON, unless it is a form. */
  body?: Record<string, unknown> | FormData | undefined
  signal?: AbortSignal | undefined
}

/**
 * Sends a request with the access token and the language. Whatever it answers, a file as well as an envelope, may bring
 * a new token in the place of the stored one (spec 1 §7).
 */
export async function send(
  url: string,
  { verb = 'GET', accept = 'application/json', body, signal }: Sent,
): Promise<Response> {
  const token = readToken()
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method: verb,
    headers: {
      accept,
      'accept-language': currentLanguage(),
      ...(token ? { [tokenHeader]: token } : {}),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : networkFailure(0)
  })
  const renewed = response.headers.get(tokenHeader)
  // An answer that comes late says nothing about whoever has signed in since.
  const renews = renewed !== null && readToken() === token
  if (renews) {
    storeToken(renewed)
    if (token) tellRenewal(token, renewed)
  }
  if (token) askedWith.set(response, renews ? renewed : token)
  return response
}

/** Reads an envelope; a session that has ended goes back to the login, where the notice is shown. */
export async function readEnvelope<Data>(response: Response): Promise<Data> {
  let envelope: Envelope<Data>
  try {
    envelope = (await response.json()) as Envelope<Data>
  } catch {
    throw networkFailure(response.status)
  }
  if (envelope.success) return envelope.data
  if (sessionEnded.has(envelope.resultCode) && location.pathname !== '/login') {
    // As if it was lost on the way: asked again, it goes with the token of now.
    if (isOfEarlierToken(response)) throw networkFailure(response.status)
    clearSession()
    keepWantedAddress()
    location.assign('/login?expired=1')
  }
  const { fields = {} } = (envelope.data ?? {}) as { fields?: Record<string, string> }
  throw new CallError(envelope.resultCode, envelope.message, fields)
}

export const networkFailure = (status: number | string) =>
  new CallError(networkFailureCode, translate(currentLanguage(), 'console.form.networkFailure', { status }))

/** Makes a call declared in the contract. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<DataOf<E>> {
  const { url, body } = requestOf(endpoint, input)
  const response = await send(url, { verb: endpoint.verb, body, signal })
  return readEnvelope<DataOf<E>>(response)
}

/** Makes a call that takes a file, as a form. */
export async function callWithFile<E extends Endpoint>(
  endpoint: E,
  fields: Readonly<Record<string, string>>,
  file: File,
): Promise<DataOf<E>> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append(endpoint.takesFile?.field ?? 'file', file)
  const response = await send(endpoint.path, { verb: endpoint.verb, body: form })
  return readEnvelope<DataOf<E>>(response)
}

/** Fetches a file that a call answers; a refusal comes as from any call. */
export async function callFile<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<Blob> {
  const { url } = requestOf(endpoint, input)
  const response = await send(url, { accept: '*/*', signal })
  if (response.headers.get('content-type')?.includes('json')) return readEnvelope<never>(response)
  return response.blob()
}

/** Reads through a call; the rows of before stay in sight while others are on their way. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  enabled = true,
): UseQueryResult<DataOf<E>, Error> {
  return useQuery({
    queryKey: [endpoint.path, input, currentLanguage()],
    queryFn: ({ signal }) => call(endpoint, input, signal),
    placeholderData: (before) => before,
    enabled,
  }) as UseQueryResult<DataOf<E>, Error>
}

/**
 * Reads through a call again and again, while somebody is at the page: a session that nobody uses is to end. A failure is
 * not told, the next time may do.
 */
export function useReadEvery<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  everyMs: number,
  enabled = true,
): DataOf<E> | undefined {
  const isSomebodyThere = useIsSomebodyThere()
  const read = useQuery({
    queryKey: [endpoint.path, input, currentLanguage()],
    queryFn: ({ signal }) => call(endpoint, input, signal),
    refetchInterval: everyMs,
    enabled: enabled && isSomebodyThere,
  })
  return read.data as DataOf<E> | undefined
}

/** Marks what a form starts from. */
const once = 'once'

/**
 * Reads what a form starts from: as it is when the form opens, never from memory, and not again while somebody types, nor
 * when he takes another language meanwhile.
 */
export function useReadOnce<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
): UseQueryResult<DataOf<E>, Error> {
  return useQuery({
    queryKey: [endpoint.path, input, once],
    queryFn: ({ signal }) => call(endpoint, input, signal),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  }) as UseQueryResult<DataOf<E>, Error>
}

/** Result codes for what no longer exists, or is not possible in its present state: somebody else was quicker. */
const outdated = new Set(['104', '105'])

/** When what a change sets going elsewhere, at a chair or a provider, is looked for: it has mostly come about by then. */
const soonMs = [3000, 10_000]

/** Reads everything shown again, except what a form started from. */
const readShown = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(once) })

/**
 * Changes something through a call; everything shown is read again afterwards. So it is when the change was refused
 * because the state shown is out of date, except what a form started from.
 * @param goesOn whether more comes of it after the answer; that is looked for a little later
 */
export function useChange<E extends Endpoint>(endpoint: E, goesOn = false) {
  const client = useQueryClient()
  return useMutation<DataOf<E>, Error, InputOf<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: () => {
      void readAnew(client)
      if (goesOn) for (const ms of soonMs) setTimeout(() => void readShown(client), ms)
    },
    onError: (error) => {
      if (error instanceof CallError && outdated.has(error.code)) void readShown(client)
    },
  })
}

/** Reads everything shown again; answers to what was asked before the change are not waited for. */
export async function readAnew(client: QueryClient): Promise<void> {
  await client.cancelQueries()
  await client.invalidateQueries()
}
