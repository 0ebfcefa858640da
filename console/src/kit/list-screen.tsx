import type { TextKey } from '@chairside/contract/locales/texts'
import { ReloadOutlined } from '@ant-design/icons'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { fieldErrorsOf } from './call.ts'
import { ColumnsButton } from './columns-button.tsx'
import { EmptyNotice, type EmptyText } from './empty-notice.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterPanel } from './filter-panel.tsx'
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
import { useList, type ListDefinition } from './use-list.ts'
import { useUser } from './user.ts'
import { ViewsButton } from './views-button.tsx'

export interface ListScreenProps<R extends Row> extends RowsDefinition<R>, ListDefinition<R> {
  title: TextKey
  /** What can be done with the whole list, beside its title. */
  toolbar?: ReactNode
  /** What can be done with the rows that are ticked; told the rows of the page as they are now. */
  chosenActions?: ReactNode | ((rows: readonly R[]) => ReactNode)
  /** Keeps the rows that are shown up to date, and says so. */
  live?: (rows: readonly R[]) => ReactNode
  /** The place of the list in a hierarchy; the answer's data once it is there. */
  trail?: (data: unknown) => ReactNode
  /** What it says when there is nothing, whatever the filters. */
  emptyText?: EmptyText
  /** Figures above the table for what matches. */
  totals?: (input: Record<string, unknown>) => ReactNode
}

/**
 * The one shape of every list: title and actions, search kept in the address, totals, table (cards on a phone), pager.
 * It is declared by constants and does loading, empty, error, paging and export.
 */
export function ListScreen<R extends Row>(props: ListScreenProps<R>) {
  const { endpoint, filters, selection } = props
  const say = useTexts()
  const user = useUser()
  const { message } = App.useApp()
  const listed = useList<R>(props)
  const { state, setState, wanted, missing, read, data, page, pages, turnTo } = listed
  const shown = data?.list ?? []
  const rows = useKeptFocus()

  const chooseAll = async () => {
    try {
      const keyOf = (row: R) => String(row[props.rowKey])
      selection?.onChange(chooseRows(new Map(), await listed.readAll(), keyOf, true), wanted)
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
      <ScreenHeader title={say(props.title)} beside={props.live?.(shown)}>
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
          <ExportButton endpoint={endpoint} input={listed.sheetInput} rows={data?.total} />
        )}
      </ScreenHeader>
      {props.trail?.(data)}
      <FilterPanel
        filters={filters}
        user={user}
        state={wanted}
        errors={fieldErrorsOf(read.error)}
        onSearch={listed.search}
        onReset={() => setState({})}
        isNeeded={missing !== undefined}
      />
      {props.totals && <div className="totals">{props.totals(listed.filterInput)}</div>}
      {selection && (
        <div className="selection-bar">
          {typeof props.chosenActions === 'function' ? props.chosenActions(shown) : props.chosenActions}
          <SelectionCount selection={selection} total={data?.total ?? 0} onChooseAll={chooseAll} />
        </div>
      )}
      {missing === undefined ? (
        <div ref={rows}>
          <ReadState read={read} empty={data?.list.length === 0 ? nothing : undefined}>
            <ListRows {...props} label={say(props.title)} rows={shown} />
          </ReadState>
          {data && data.total > 0 && (
            <Pager
              page={page}
              pageSize={listed.pageSize}
              pages={pages}
              total={data.total}
              onChange={turnTo}
            />
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
