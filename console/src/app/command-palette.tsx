import { useNavigate } from '@tanstack/react-router'
import { Input, Modal } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'
import { useReturnFocus } from '../kit/return-focus.ts'

const listId = 'palette'
const optionId = (index: number) => `${listId}-${index}`

/** Every screen one may see, by its name or address; opened by Ctrl or Cmd+K. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const say = useTexts()
  const textOf = useTextOf()
  const navigate = useNavigate()
  const { pages } = usePages()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)

  const found = [
    { url: '/', name: say('console.app.home') },
    ...pages.map(({ url, description }) => ({ url, name: textOf(description) })),
  ].filter(({ url, name }) => `${name} ${url}`.toLowerCase().includes(typed.trim().toLowerCase()))
  const go = (url: string | undefined) => {
    if (url === undefined) return
    onClose()
    void navigate({ to: url as '/' })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') go(found[chosen]?.url)
  }
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      title={say('console.header.goTo')}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <Input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        {...(found.length > 0 ? { 'aria-activedescendant': optionId(chosen) } : {})}
        aria-label={say('console.header.goToPlaceholder')}
        placeholder={say('console.header.goToPlaceholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        onKeyDown={press}
      />
      <div className="palette-list" id={listId} role="listbox" aria-label={say('console.header.goTo')}>
        {found.map(({ url, name }, index) => (
          <button
            key={url}
            id={optionId(index)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(url)}
          >
            {name} <span className="hint">{url}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="hint">{say('console.header.nothingFound')}</p>}
    </Modal>
  )
}
