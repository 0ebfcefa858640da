import { deleteSavedView, type SavedView } from '@chairside/contract'
import { BookOutlined } from '@ant-design/icons'
import { useRouterState } from '@tanstack/react-router'
import { App, Popover } from 'antd'
import { useRef, useState } from 'react'
import { useBackCloses } from './above-the-page.ts'
import { parseAddress, type AddressState } from './address.ts'
import { useChange } from './call.ts'
import { useConfirm } from './confirm.ts'
import { useTexts } from './language.tsx'
import { lazyDialog } from './lazy-part.tsx'
import { ToolButton } from './tool-button.tsx'

const ViewsPanel = lazyDialog(() => import('./views-panel.tsx').then((module) => module.ViewsPanel))
const ViewDialog = lazyDialog(() => import('./view-dialog.tsx').then((module) => module.ViewDialog))

/** Below its button, moved as far as a phone needs it to be seen whole. */
const placements = {
  bottomRight: { points: ['tr', 'br'], offset: [0, 4], overflow: { shiftX: true, adjustY: true } },
}

interface Props {
  /** What the list is called. */
  title: string
  state: AddressState
  onChoose: (state: AddressState) => void
}

/** Opens the views of a screen: filters that somebody keeps under a name. They are read when they are asked for. */
export function ViewsButton({ title, state, onChoose }: Props) {
  const say = useTexts()
  const screen = useRouterState({ select: ({ location }) => location.pathname.replace(/\/+$/, '') })
  const askToDelete = useDeleteView()
  const [isOpen, setOpen] = useState(false)
  /** The view that is changed, or none for a new one. */
  const [edited, setEdited] = useState<SavedView | 'new' | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const change = (next: boolean) => {
    // Whatever is closed by a key, or opens a dialog in its place, gives the focus back to where it was opened.
    if (!next && panel.current?.contains(document.activeElement)) opener.current?.focus()
    setOpen(next)
  }
  useBackCloses(() => change(false), isOpen)
  const leaveFor = (act: () => void) => {
    change(false)
    act()
  }
  return (
    <>
      <Popover
        open={isOpen}
        onOpenChange={change}
        // It is at the end of the page: Tab alone would not reach it. Whoever has moved on in it meanwhile stays there.
        afterOpenChange={(opened) =>
          opened && !panel.current?.contains(document.activeElement) && panel.current?.focus()
        }
        trigger="click"
        placement="bottomRight"
        builtinPlacements={placements}
        arrow={false}
        rootClassName="views-popover"
        destroyOnHidden
        content={
          <ViewsPanel
            panel={panel}
            screen={screen}
            title={title}
            state={state}
            onChoose={(query) => leaveFor(() => onChoose(parseAddress(query)))}
            onSave={() => leaveFor(() => setEdited('new'))}
            onEdit={(view) => leaveFor(() => setEdited(view))}
            onDelete={(view) => leaveFor(() => void askToDelete(view))}
            onClose={() => change(false)}
          />
        }
      >
        <ToolButton
          ref={opener}
          icon={<BookOutlined aria-hidden />}
          text={say('views.open')}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
        />
      </Popover>
      {edited && (
        <ViewDialog
          screen={screen}
          state={state}
          view={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

/** Asks before a view is deleted, since for colleagues it is gone too. */
function useDeleteView(): (view: SavedView) => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const change = useChange(deleteSavedView)
  return async ({ id, name, shared }) => {
    const isDone = await confirm({
      title: say('views.deleteTitle', { name }),
      explain: say(shared ? 'views.deleteShared' : 'views.deleteOwn'),
      doText: say('views.delete'),
      danger: true,
      act: () => change.mutateAsync({ viewId: id }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('console.form.deleted'))
  }
}
