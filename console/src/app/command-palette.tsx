import { useNavigate } from '@tanstack/react-router'
import { Input, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'

/** Ctrl or Cmd+K reaches every screen one may see. */
export function CommandPalette() {
  const say = useTexts()
  const textOf = useTextOf()
  const navigate = useNavigate()
  const { pages } = usePages()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setTyped('')
      setChosen(0)
      setOpen(true)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  const found = [
    { url: '/', name: say('console.app.home') },
    ...pages.map(({ url, description }) => ({ url, name: textOf(description) })),
  ].filter(({ url, name }) => `${name} ${url}`.toLowerCase().includes(typed.trim().toLowerCase()))
  const go = (url: string | undefined) => {
    if (url === undefined) return
    setOpen(false)
    void navigate({ to: url as '/' })
  }
  return (
    <Modal
      open={open}
      onCancel={() => setOpen(false)}
      footer={null}
      title={say('console.header.goTo')}
      destroyOnHidden
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <Input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-label={say('console.header.goToPlaceholder')}
        placeholder={say('console.header.goToPlaceholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1))
          if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
          if (event.key === 'Enter') go(found[chosen]?.url)
        }}
      />
      <div className="palette-list" id="palette" role="listbox" aria-label={say('console.header.goTo')}>
        {found.map(({ url, name }, index) => (
          <button
            key={url}
            type="button"
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(url)}
          >
            {name} <span className="hint">{url}</span>
          </button>
        ))}
        {found.length === 0 && <p className="hint">{say('console.header.nothingFound')}</p>}
      </div>
    </Modal>
  )
}
