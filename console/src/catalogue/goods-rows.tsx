import { deleteGoods, formatYuan, type Goods, type GoodsTemplate } from '@chairside/contract'
import { useNavigate } from '@tanstack/react-router'
import { App } from 'antd'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { RecordCards } from '../kit/record-cards.tsx'
import { RowActions } from '../kit/row-actions.tsx'
import { useMay } from '../kit/user.ts'

const keyOf = ({ id }: Goods) => String(id)
const nameOf = ({ name }: Goods) => name

/** Whether goods have something to say under a column. */
function hasValue(goods: Goods, { key }: TableColumn<Goods>): boolean {
  if (key === 'days') return goods.timeLimit
  if (key === 'marks') return goods.freeFirst || goods.memberOnly
  return goods[key as keyof Goods] !== ''
}

/** The goods of a template, as the pay page orders them. */
export function GoodsRows({ template }: { template: GoodsTemplate }) {
  const say = useTexts()
  const narrow = useNarrow()
  const { language } = useLanguage()
  const column = (
    key: 'name' | 'nameEn' | 'price' | 'duration' | 'queue' | 'instock' | 'days' | 'marks',
    width: number,
    draw: TableColumn<Goods>['draw'],
    isNumeric = false,
  ): TableColumn<Goods> => ({
    key,
    title: say(`catalogue.goods.field.${key}`),
    width,
    isNumeric,
    isOneLine: !isNumeric && key !== 'marks',
    draw,
  })
  const columns = [
    column('name', 144, ({ name }) => name),
    column('nameEn', 160, ({ nameEn }) => nameEn),
    column('price', 116, ({ price }) => <span className="figure">{formatYuan(price)}</span>, true),
    column('duration', 84, ({ duration }) => formatCount(duration, language), true),
    column('queue', 72, ({ queue }) => formatCount(queue, language), true),
    column('instock', 110, (goods) => <Stock goods={goods} />, true),
    column('days', 200, ({ timeLimit, timeStart, timeEnd }) =>
      timeLimit ? `${timeStart} – ${timeEnd}` : '',
    ),
    column('marks', 134, (goods) => <Marks goods={goods} />),
  ]
  const actions = (goods: Goods) => <GoodsActions goods={goods} devices={template.deviceCount} />
  if (template.goodsList.length === 0) return <p className="hint">{say('catalogue.template.noGoodsHint')}</p>
  if (narrow)
    return (
      <RecordCards
        columns={columns}
        rows={template.goodsList}
        keyOf={keyOf}
        hasValue={hasValue}
        actions={actions}
      />
    )
  const actionColumn: TableColumn<Goods> = {
    key: 'actions',
    title: say('console.list.actions'),
    width: 140,
    isPinned: true,
    draw: (goods) => <div className="row-actions">{actions(goods)}</div>,
  }
  return (
    <DataTable
      label={`${say('catalogue.goods.title')}: ${template.name}`}
      columns={[...columns, actionColumn]}
      rows={template.goodsList}
      keyOf={keyOf}
      nameOf={nameOf}
    />
  )
}

function Stock({ goods: { instock } }: { goods: Goods }) {
  const say = useTexts()
  const { language } = useLanguage()
  if (instock < 0) return <span className="nothing">{say('catalogue.goods.unlimited')}</span>
  if (instock === 0) return <span className="tag tag-bad">{say('catalogue.goods.soldOut')}</span>
  return <span className="figure">{formatCount(instock, language)}</span>
}

function Marks({ goods: { freeFirst, memberOnly } }: { goods: Goods }) {
  const say = useTexts()
  return (
    <span className="tags">
      {freeFirst && <span className="tag tag-good">{say('catalogue.goods.field.freeFirst')}</span>}
      {memberOnly && <span className="tag tag-busy">{say('catalogue.goods.field.memberOnly')}</span>}
    </span>
  )
}

function GoodsActions({ goods, devices }: { goods: Goods; devices: number }) {
  const say = useTexts()
  const may = useMay()
  const navigate = useNavigate()
  const askToDelete = useDeletion(goods, devices)
  return (
    <RowActions
      row={goods.name}
      actions={[
        ...(may('goods.modify')
          ? [
              {
                key: 'edit',
                text: say('catalogue.goods.edit'),
                act: () => void navigate({ to: '/goods/$id', params: { id: String(goods.id) } }),
              },
            ]
          : []),
        ...(may('goods.delete')
          ? [
              {
                key: 'delete',
                text: say('catalogue.goods.delete'),
                danger: true,
                act: () => void askToDelete(),
              },
            ]
          : []),
      ]}
    />
  )
}

/** Asks before goods are deleted, saying on how many pay pages they are. */
function useDeletion({ id, name }: Goods, devices: number): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const { language } = useLanguage()
  const remove = useChange(deleteGoods)
  return async () => {
    const isDone = await confirm({
      title: say('catalogue.goods.deleteTitle', { name }),
      explain:
        devices === 0
          ? say('catalogue.goods.deleteExplainNone')
          : say('catalogue.goods.deleteExplain', { devices: formatCount(devices, language) }),
      doText: say('catalogue.goods.delete'),
      danger: true,
      act: () => remove.mutateAsync({ id }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('catalogue.goods.deleted', { name }))
  }
}
