import type { DataOf, Endpoint, InputOf, SessionUser, SheetColumn } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, Result, Skeleton, Table } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { useUser } from './user.ts'
import { useAddress, type AddressState } from './address.ts'
import { useRead } from './call.ts'
import { drawCell, isNumeric } from './cell.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterPanel, type FilterDefinition } from './filters.tsx'
import { useLanguage, useTextOf, useTexts } from './language.tsx'
import { useNarrow } from './narrow.ts'
import { Pager } from './pager.tsx'
import { ScreenHeader } from './screen-header.tsx'

type Row = Record<string, unknown>
type ListEndpoint<R> = Endpoint & { data: { _output?: unknown } } & (R extends Row ? unknown : never)

export interface ListScreenProps<R extends Row> {
  title: TextKey
  endpoint: ListEndpoint<R>
  filters: readonly FilterDefinition[]
  rowKey: keyof R & string
  /** Columns in the order of the call's sheet; those named here are left to the details. */
  hiddenColumns?: readonly string[]
  /** Widths that differ from those of the column's kind, in pixels. */
  widths?: Partial<Record<string, number>>
  /** How some columns are drawn otherwise than their kind says. */
  draw?: Partial<Record<string, (row: R) => ReactNode>>
  /** Fields of the call that the screen decides, whatever the address says. */
  fixed?: (state: AddressState, user: SessionUser) => Record<string, unknown>
  /** Figures above the table for what matches. */
  totals?: (input: Record<string, unknown>) => ReactNode
  actions?: (row: R) => ReactNode
  expanded?: (row: R) => ReactNode
}

const defaultPageSize = 10
const widthOf: Record<SheetColumn['kind'], number> = {
  id: 216,
  text: 180,
  integer: 90,
  money: 112,
  dateTime: 172,
  date: 120,
  duration: 84,
  status: 136,
}

/**
 * The one shape of every list: title and actions, search kept in the address, totals, table (cards on a phone), pager.
 * It is declared by constants and does loading, empty, error, paging and export.
 */
export function ListScreen<R extends Row>(props: ListScreenProps<R>) {
  const { endpoint, filters } = props
  const say = useTexts()
  const user = useUser()
  const narrow = useNarrow()
  const [state, setState] = useAddress()
  const { page = '1', pagesize, ...wanted } = state
  const pageSize = Number(pagesize ?? defaultPageSize)

  const filterInput: Record<string, unknown> = { ...wanted, ...props.fixed?.(state, user) }
  const input = { ...filterInput, pagenum: Number(page), pagesize: pageSize } as InputOf<Endpoint>
  const read = useRead(endpoint as Endpoint, input)
  const data = read.data as { list: R[]; total: number } | undefined

  return (
    <>
      <ScreenHeader title={say(props.title)}>
        <Button
          icon={<ReloadOutlined />}
          loading={read.isFetching && !read.isLoading}
          onClick={() => void read.refetch()}
        >
          {say('console.list.refresh')}
        </Button>
        {endpoint.sheet && (
          <ExportButton endpoint={endpoint as Endpoint} input={filterInput as InputOf<Endpoint>} />
        )}
      </ScreenHeader>
      <FilterPanel
        filters={filters}
        user={user}
        state={wanted}
        onSearch={(next) => setState(pagesize ? { ...next, pagesize } : next)}
      />
      {props.totals && <div className="totals">{props.totals(filterInput)}</div>}
      <ListBody {...props} read={read} rows={data?.list} narrow={narrow} />
      {data && data.total > 0 && (
        <Pager
          page={Number(page)}
          pageSize={pageSize}
          total={data.total}
          onChange={(next, size) =>
            setState({
              ...wanted,
              ...(next > 1 ? { page: String(next) } : {}),
              ...(size === defaultPageSize ? {} : { pagesize: String(size) }),
            })
          }
        />
      )}
    </>
  )
}

interface BodyProps<R extends Row> extends ListScreenProps<R> {
  read: ReturnType<typeof useRead>
  rows: R[] | undefined
  narrow: boolean
}

function ListBody<R extends Row>(props: BodyProps<R>) {
  const { read, rows, narrow } = props
  const say = useTexts()
  if (read.isError) {
    return (
      <Result
        status="warning"
        title={say('console.list.failed', { reason: read.error.message })}
        extra={
          <Button type="primary" onClick={() => void read.refetch()}>
            {say('console.list.retry')}
          </Button>
        }
      />
    )
  }
  if (!rows) return <Skeleton active paragraph={{ rows: 8 }} title={false} className="loading" />
  if (rows.length === 0) {
    return (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('console.list.empty')}>
        <p className="hint">{say('console.list.emptyHint')}</p>
      </Empty>
    )
  }
  return narrow ? <Cards {...props} rows={rows} /> : <Rows {...props} rows={rows} />
}

function useShownColumns({
  endpoint,
  hiddenColumns = [],
}: {
  endpoint: Endpoint
  hiddenColumns?: readonly string[]
}) {
  return useMemo(
    () => (endpoint.sheet?.columns ?? []).filter(({ field }) => !hiddenColumns.includes(field)),
    [endpoint, hiddenColumns],
  )
}

function Rows<R extends Row>(props: BodyProps<R> & { rows: R[] }) {
  const { rows, rowKey, draw = {}, widths = {}, actions, expanded, read } = props
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const shown = useShownColumns(props as never)
  const columns = [
    ...shown.map((column) => ({
      key: column.field,
      title: textOf(column.text),
      width: widths[column.field] ?? widthOf[column.kind],
      align: isNumeric(column) ? ('right' as const) : ('left' as const),
      ellipsis: column.kind === 'text',
      render: (_value: unknown, row: R) =>
        draw[column.field]?.(row) ?? drawCell(column, row[column.field], language),
    })),
    ...(actions
      ? [
          {
            key: 'actions',
            title: say('console.list.actions'),
            width: widths['actions'] ?? 120,
            fixed: 'right' as const,
            render: (_value: unknown, row: R) => <div className="row-actions">{actions(row)}</div>,
          },
        ]
      : []),
  ]
  const width = columns.reduce((sum, column) => sum + column.width, 0)
  return (
    <Table<R>
      rowKey={rowKey}
      columns={columns}
      dataSource={rows}
      pagination={false}
      size="small"
      scroll={{ x: width }}
      loading={read.isPlaceholderData}
      {...(expanded
        ? {
            expandable: {
              expandedRowRender: expanded,
              expandIcon: ({ expanded: isOpen, onExpand, record }) => (
                <button
                  type="button"
                  className="icon-button"
                  aria-expanded={isOpen}
                  aria-label={say('console.list.expand', { row: String(record[rowKey]) })}
                  onClick={(event) => onExpand(record, event)}
                >
                  {isOpen ? '−' : '+'}
                </button>
              ),
            },
          }
        : {})}
    />
  )
}

function Cards<R extends Row>(props: BodyProps<R> & { rows: R[] }) {
  const { rows, rowKey, draw = {}, actions, expanded } = props
  const textOf = useTextOf()
  const { language } = useLanguage()
  const [first, ...rest] = useShownColumns(props as never)
  return (
    <ul className="cards">
      {rows.map((row) => (
        <li key={String(row[rowKey])} className="card">
          {first && (
            <div className="card-title">
              {draw[first.field]?.(row) ?? drawCell(first, row[first.field], language)}
            </div>
          )}
          <dl>
            {rest.map((column) => (
              <div key={column.field}>
                <dt>{textOf(column.text)}</dt>
                <dd>{draw[column.field]?.(row) ?? drawCell(column, row[column.field], language)}</dd>
              </div>
            ))}
          </dl>
          {expanded && <div className="card-more">{expanded(row)}</div>}
          {actions && <div className="row-actions">{actions(row)}</div>}
        </li>
      ))}
    </ul>
  )
}

/** The row type of a list call. */
export type RowOf<E extends Endpoint> = DataOf<E> extends { list: (infer R)[] } ? R & Row : never
