import { listSavedViews, type SavedView } from '@chairside/contract'
import { CheckOutlined, DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useId, type RefObject } from 'react'
import type { AddressState } from './address.ts'
import { useRead } from './call.ts'
import { useTexts } from './language.tsx'
import { ReadState } from './read-state.tsx'
import { isSameView } from './saved-view.ts'
import './views.css'

interface Actions {
  state: AddressState
  onChoose: (query: string) => void
  onEdit: (view: SavedView) => void
  onDelete: (view: SavedView) => void
}

interface Props extends Actions {
  panel: RefObject<HTMLDivElement | null>
  screen: string
  /** What the list is called. */
  title: string
  onSave: () => void
  onClose: () => void
}

/** The views of a screen, one's own and those of colleagues; the current one is marked. */
export function ViewsPanel({ panel, screen, title, onSave, ...actions }: Props) {
  const say = useTexts()
  const read = useRead(listSavedViews, { screen })
  const list = read.data?.list ?? []
  // The first time, its code comes only after it was opened.
  useEffect(() => panel.current?.focus(), [panel])
  return (
    <div
      ref={panel}
      className="views"
      role="dialog"
      aria-label={say('views.title', { list: title })}
      tabIndex={-1}
    >
      <div className="views-lists">
        <ReadState read={read}>
          {list.length === 0 && <p className="hint">{say('views.none')}</p>}
          <Views title={say('views.own')} views={list.filter(({ own }) => own)} {...actions} />
          <Views title={say('views.shared')} views={list.filter(({ own }) => !own)} {...actions} />
        </ReadState>
      </div>
      <Button block icon={<PlusOutlined aria-hidden />} onClick={onSave}>
        {say('views.save')}
      </Button>
    </div>
  )
}

function Views({ title, views, ...actions }: Actions & { title: string; views: readonly SavedView[] }) {
  const id = useId()
  if (views.length === 0) return null
  return (
    <>
      <h2 id={id}>{title}</h2>
      <ul aria-labelledby={id}>
        {views.map((view) => (
          <View key={view.id} view={view} {...actions} />
        ))}
      </ul>
    </>
  )
}

function View({ view, state, onChoose, onEdit, onDelete }: Actions & { view: SavedView }) {
  const say = useTexts()
  const { name, query, own, shared, ownerName } = view
  const isShown = isSameView(query, state)
  return (
    <li>
      <button
        type="button"
        className="view-choice"
        aria-current={isShown ? 'true' : undefined}
        onClick={() => onChoose(query)}
      >
        <span className="view-mark">{isShown && <CheckOutlined aria-hidden />}</span>
        <span>
          {name}
          {own && shared && <small>{say('views.isShared')}</small>}
          {!own && <small>{say('views.by', { name: ownerName })}</small>}
        </span>
      </button>
      {own && (
        <>
          <Button
            type="text"
            icon={<EditOutlined aria-hidden />}
            aria-label={say('views.edit', { name })}
            onClick={() => onEdit(view)}
          />
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={say('views.deleteOf', { name })}
            onClick={() => onDelete(view)}
          />
        </>
      )}
    </li>
  )
}
