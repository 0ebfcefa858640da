import { pageSizes, type Endpoint, type InputOf, type SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { ReloadOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useEffect, type ReactNode } from 'react'
import { useAddress, type AddressState } from './address.ts'
import { call, fieldErrorsOf, useRead } from './call.ts'
import { ColumnsButton } from './columns-button.tsx'
import { EmptyNotice, type EmptyText } from './empty-notice.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterPanel, withoutOthers, type FilterDefinition } from './filters.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { useTexts } from './language.tsx'
import { columnsOf, ListRows, type Row, type RowsDefinition } from './list-rows.tsx'
import { Pager } from './pager.tsx'
import { ReadState } from './read-state.tsx'
import { chooseRows } from './row-selection.ts'
import { SelectionCount } from './row-ticks.tsx'
import { ScreenHeader } from './screen-header.tsx'
import { useShortcut } from './shortcuts.ts'
import { ToolButton } from './tool-button.tsx'
import { useUser } from './user.ts'
import { ViewsButton } from './views-button.tsx'

export interface ListScreenProps<R extends Row> extends RowsDefinition<R> {
  title: TextKey
  filters: readonly FilterDefinition[]
  /** Fields of the call that the screen decides, whatever the address says. */
  fixed?: (state: AddressState, user: SessionUser) => Record<string, unknown>
  /**
   * Whether a row is among those looked for. With it all rows come at once, and are filtered and paged here: for lists of
   * things that somebody made by hand. A call with a sheet knows the same filters.
   */
  keeps?: (row: R, wanted: AddressState) => boolean
  /** What can be done with the whole list, beside its title. */
  toolbar?: ReactNode
  /** What can be done with the rows that are ticked; told the rows of the page as they are now. */
  chosenActions?: ReactNode | ((rows: readonly R[]) => ReactNode)
  /** Keeps the rows that are shown up to date, and says so. */
  live?: (rows: readonly R[]) => ReactNode
  /** Where the list stands in a hierarchy; the answer's data once it is there. */
  trail?: (data: unknown) => ReactNode
  /** What has to be chosen before anything is asked for; told in place of the rows. */
  missing?: (state: AddressState, user: SessionUser) => TextKey | undefined
  /** What it says when there is nothing, whatever the filters. */
  emptyText?: EmptyText
  /** Figures above the table for what matches. */
  totals?: (input: Record<string, unknown>) => ReactNode
}

const defaultPageSize = pageSizes[0]
/** The page size that means all of them (decisions §1). */
const everyRow = 0

/** Page and size as the address has them; what is no number is as if it were absent. */
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

/**
 * The one shape of every list: title and actions, search kept in the address, totals, table (cards on a phone), pager.
 * It is declared by constants and does loading, empty, error, paging and export.
 */
export function ListScreen<R extends Row>(props: ListScreenProps<R>) {
  const { endpoint, filters, keeps } = props
  const say = useTexts()
  const user = useUser()
  const { message } = App.useApp()
  const [state, setState] = useAddress()
  const { page, pageSize } = pagingOf(state)
  const { page: _page, pagesize, ...asked } = state
  const wanted = withoutOthers(filters, user, asked)

  const fixed = props.fixed?.(state, user)
  const filterInput: Record<string, unknown> = { ...(keeps ? {} : wanted), ...fixed }
  const input = {
    ...filterInput,
    ...(keeps ? { pagesize: everyRow } : { pagenum: page, pagesize: pageSize }),
  } as InputOf<Endpoint>
  const missing = props.missing?.(wanted, user)
  const rows = useKeptFocus()
  const read = useRead(endpoint, input, missing === undefined)
  const answer = listedOf<R>(read.data)
  const data = answer && keeps ? pageHere(answer, (row) => keeps(row, wanted), page, pageSize) : answer
  const pages = data ? Math.max(1, Math.ceil(data.total / pageSize)) : 1
  const turnTo = (next: number, size = pageSize) => setState(turnPage(state, next, size))
  // The rows of the last page may have gone since: what is there now is shown, and Back does not lead past the end again.
  const isPastEnd = data !== undefined && !read.isPlaceholderData && page > pages
  useEffect(() => {
    if (isPastEnd) setState(turnPage(state, pages, pageSize), { replace: true })
  }, [isPastEnd, setState, state, pages, pageSize])

  const chooseAll = async () => {
    try {
      const all = await call(endpoint, { ...filterInput, pagesize: 0 } as InputOf<Endpoint>)
      const keyOf = (row: R) => String(row[props.rowKey])
      props.selection?.onChange(chooseRows(new Map(), (all as { list: R[] }).list, keyOf, true), wanted)
    } catch (error) {
      void message.error(say('console.list.failed', { reason: (error as Error).message }))
    }
  }

  const isFiltered = filters.some(({ name }) => wanted[name] !== undefined)
  const nothing = <EmptyNotice text={props.emptyText} onClear={isFiltered ? () => setState({}) : undefined} />

  useShortcut('r', () => void read.refetch())
  useShortcut(']', () => page < pages && turnTo(page + 1))
  useShortcut('[', () => page > 1 && turnTo(page - 1))
  return (
    <>
      <ScreenHeader title={say(props.title)}>
        {props.live?.(data?.list ?? [])}
        {props.toolbar}
        <ToolButton
          icon={<ReloadOutlined aria-hidden />}
          text={say('console.list.refresh')}
          loading={read.isFetching && !read.isLoading}
          onClick={() => void read.refetch()}
        />
        <ViewsButton title={say(props.title)} state={state} onChoose={setState} />
        <ColumnsButton title={say(props.title)} definition={columnsOf(props)} />
        {endpoint.sheet && missing === undefined && (
          // What is filtered here is filtered there for the sheet.
          <ExportButton
            endpoint={endpoint}
            input={{ ...wanted, ...fixed } as InputOf<Endpoint>}
            rows={data?.total}
          />
        )}
      </ScreenHeader>
      {props.trail?.(data)}
      <FilterPanel
        filters={filters}
        user={user}
        state={wanted}
        errors={fieldErrorsOf(read.error)}
        onSearch={(next) => setState(pagesize ? { ...next, pagesize } : next)}
        onReset={() => setState({})}
        isNeeded={missing !== undefined}
      />
      {props.totals && <div className="totals">{props.totals(filterInput)}</div>}
      {props.selection && (
        <div className="selection-bar">
          {typeof props.chosenActions === 'function'
            ? props.chosenActions(data?.list ?? [])
            : props.chosenActions}
          <SelectionCount selection={props.selection} total={data?.total ?? 0} onChooseAll={chooseAll} />
        </div>
      )}
      {missing === undefined ? (
        <div ref={rows}>
          <ReadState read={read} empty={data?.list.length === 0 ? nothing : undefined}>
            <ListRows
              {...props}
              label={say(props.title)}
              rows={data?.list ?? []}
              isBusy={read.isPlaceholderData}
            />
          </ReadState>
          {data && data.total > 0 && (
            <Pager page={page} pageSize={pageSize} pages={pages} total={data.total} onChange={turnTo} />
          )}
        </div>
      ) : (
        <p className="notice hint" role="status">
          {say(missing)}
        </p>
      )}
    </>
  )
}
