import { App, Button, Dropdown, type ButtonProps } from 'antd'
import { useRef, useState, type ReactNode } from 'react'

/** Something that can be done, as a button or a line of a menu. */
export interface MenuAction {
  key: string
  text: string
  danger?: boolean
  /** Why it cannot be done now; it can still be reached and says so. */
  disabledBecause?: string | undefined
  act: () => void
}

interface Props extends Pick<ButtonProps, 'size' | 'icon'> {
  /** What the button is called by who cannot see it. */
  label?: string
  actions: readonly MenuAction[]
  children?: ReactNode
}

/** A long menu has room neither below a row in the middle of a low window nor above it: it moves into sight then. */
const wholeInSight = { adjustX: 1, adjustY: 1, shiftY: true } as const

/** A button that opens a menu of actions, by mouse and keyboard alike. */
export function ActionMenu({ label, actions, children, ...look }: Props) {
  const { message } = App.useApp()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const change = (next: boolean) => {
    setOpen(next)
    // Closed by a key, the menu takes the focus with it; it goes back to where it was opened.
    const isLost = document.activeElement?.closest('[role=menu]')
    if (!next && isLost) button.current?.focus()
  }
  const run = (action: MenuAction | undefined) => {
    if (action?.disabledBecause === undefined) action?.act()
    else void message.warning(action.disabledBecause)
  }
  return (
    <Dropdown
      open={isOpen}
      onOpenChange={change}
      trigger={['click']}
      placement="bottomRight"
      autoAdjustOverflow={wholeInSight}
      autoFocus
      menu={{
        items: actions.map(({ key, text, danger = false, disabledBecause }) => ({
          key,
          danger: danger && disabledBecause === undefined,
          label:
            disabledBecause === undefined ? (
              text
            ) : (
              <span aria-disabled="true">
                {text}
                <small className="menu-reason">{disabledBecause}</small>
              </span>
            ),
        })),
        onClick: ({ key, domEvent }) => {
          // A question has the focus at once: the same press of Enter would answer it.
          if (domEvent.type === 'keydown') domEvent.preventDefault()
          run(actions.find((action) => action.key === key))
        },
      }}
    >
      <Button
        ref={button}
        {...look}
        {...(label === undefined ? {} : { 'aria-label': label })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
      >
        {children}
      </Button>
    </Dropdown>
  )
}
