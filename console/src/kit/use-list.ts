import { pageSizes, type Endpoint, type InputOf, type SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { useEffect } from 'react'
import { useAddress, type AddressState } from './address.ts'
import { call, useRead } from './call.ts'
import { withoutUnseen, type FilterDefinition } from './filter.ts'
import { useUser } from './user.ts'

/** Which rows a list shows. */
export interface ListDefinition<R> {
  endpoint: Endpoint
  filters: readonly FilterDefinition[]
  /** Fields of the call that the screen decides, whatever the address says. */
  fixed?: (state: AddressState, user: SessionUser) => Record<string, unknown>
  /**
   * Whether a row is among those looked for. With it all rows come at once, and are filtered and paged here: for lists of
   * things that somebody made by hand. A call with a sheet knows the same filters.
   */
  keeps?: (row: R, wanted: AddressState) => boolean
  /** What has to be chosen before anything is asked for; told in place of the rows. */
  missing?: (state: AddressState, user: SessionUser) => TextKey | undefined
}

const defaultPageSize = pageSizes[0]
/** The page size that means all of them (decisions §1). */
const everyRow = 0

/** Page and size as the address has them; what is not a number counts as absent. */
function pagingOf({ page, pagesize }: AddressState): { page: number; pageSize: number } {
  const whole = (text: string | undefined) => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined)
  return { page: whole(page) ?? 1, pageSize: whole(pagesize) ?? defaultPageSize }
}

/** The address for another page or size, with the filters as they are. */
function turnPage(state: AddressState, page: number, pageSize: number): AddressState {
  const { page: _page, pagesize: _size, ...wanted } = state
  return {
    ...wanted,
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === defaultPageSize ? {} : { pagesize: String(pageSize) }),
  }
}

interface Listed<R> {
  list: readonly R[]
  total: number
}

/** The rows of an answer; a list that is always whole comes without a total. */
function listedOf<R>(data: unknown): Listed<R> | undefined {
  return Array.isArray(data) ? { list: data as R[], total: data.length } : (data as Listed<R> | undefined)
}

/** A page of the rows looked for, out of all that came. */
function pageHere<R>(
  { list }: Listed<R>,
  isWanted: (row: R) => boolean,
  page: number,
  pageSize: number,
): Listed<R> {
  const found = list.filter(isWanted)
  return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
}

/** A list as its address wants it: what is asked for, the page that came, and how to turn to another. */
export function useList<R>({ endpoint, filters, fixed, keeps, missing: missingFor }: ListDefinition<R>) {
  const user = useUser()
  const [state, setState] = useAddress()
  const { page, pageSize } = pagingOf(state)
  const { page: _page, pagesize, ...asked } = state
  const wanted = withoutUnseen(filters, user, asked)
  const fixedInput = fixed?.(wanted, user)
  const filterInput: Record<string, unknown> = { ...(keeps ? {} : wanted), ...fixedInput }
  const input = {
    ...filterInput,
    ...(keeps ? { pagesize: everyRow } : { pagenum: page, pagesize: pageSize }),
  } as InputOf<Endpoint>
  const missing = missingFor?.(wanted, user)
  const read = useRead(endpoint, input, missing === undefined)
  const answer = listedOf<R>(read.data)
  const data = answer && keeps ? pageHere(answer, (row) => keeps(row, wanted), page, pageSize) : answer
  const pages = data ? Math.max(1, Math.ceil(data.total / pageSize)) : 1
  // The rows of the last page may have gone since: what is there now is shown, and Back does not lead past the end again.
  const isPastEnd = data !== undefined && !read.isPlaceholderData && page > pages
  useEffect(() => {
    if (isPastEnd) setState(turnPage(state, pages, pageSize), { replace: true })
  }, [isPastEnd, setState, state, pages, pageSize])
  return {
    state,
    setState,
    wanted,
    missing,
    read,
    data,
    page,
    pages,
    pageSize,
    /** The input without page and size. */
    filterInput,
    /** What is filtered here is filtered there for the sheet. */
    sheetInput: { ...wanted, ...fixedInput } as InputOf<Endpoint>,
    /** Other filters; the page size stays. */
    search: (next: AddressState) => setState(pagesize ? { ...next, pagesize } : next),
    turnTo: (next: number, size = pageSize) => setState(turnPage(state, next, size)),
    /** Every row that matches, whatever the page. */
    readAll: async () => {
      const all = await call(endpoint, { ...filterInput, pagesize: everyRow } as InputOf<Endpoint>)
      return (all as Listed<R>).list
    },
  }
}
