import { find, isFindable } from '@chairside/contract'
import { useNavigate } from '@tanstack/react-router'
import { Input, Modal } from 'antd'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { useRead } from '../kit/call.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'
import { PartFailure } from '../kit/read-state.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'
import { OnceOpen } from '../kit/once-open.tsx'
import { useSettled } from '../kit/settled.ts'
import { useUser } from '../kit/user.ts'
import { optionsOf, type PaletteOption } from './palette-options.ts'

const listId = 'palette'
const optionId = (index: number) => `${listId}-${index}`
const typingPauseMs = 250
const longestText = 64

/** Every screen one may see whose name or address contains a text. */
function useScreens(typed: string): PaletteOption[] {
  const say = useTexts()
  const textOf = useTextOf()
  const { pages } = usePages()
  return [
    { url: '/', name: say('console.app.home') },
    ...pages
      .filter(({ hidden }) => !hidden)
      .map(({ url, description }) => ({ url, name: textOf(description) })),
  ]
    .filter(({ url, name }) => `${name} ${url}`.toLowerCase().includes(typed.toLowerCase()))
    .map(({ url, name }) => ({
      key: url,
      group: 'console.palette.screens' as const,
      name,
      hint: url,
      to: url,
      search: {},
    }))
}

/** Orders, devices, agents and merchants that a text finds; nothing is asked while it is being composed. */
function useFound(typed: string, isComposing: boolean) {
  const textOf = useTextOf()
  const user = useUser()
  const wanted = useSettled(isComposing ? '' : typed, typingPauseMs)
  const isLookedFor = isFindable(wanted)
  const read = useRead(find, { text: wanted }, isLookedFor)
  // What was found for another text is not offered for this one.
  const isOf = isLookedFor && wanted === typed && !read.isPlaceholderData
  return {
    options: isOf && read.data ? optionsOf(read.data, user, textOf) : [],
    isSearching: isFindable(typed) && (wanted !== typed || read.isFetching),
    failure: isOf && read.isError ? read : undefined,
  }
}

/** One box for every screen one may see, and for orders, payments, devices, agents and merchants; by Ctrl or Cmd+K. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  useAboveThePage(onClose)
  const say = useTexts()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isComposing, setComposing] = useState(false)
  const [chosen, setChosen] = useState(0)
  const sought = typed.trim()
  const screens = useScreens(sought)
  const { options: found, isSearching, failure } = useFound(sought, isComposing)
  const options = [...screens, ...found]

  const go = (option: PaletteOption | undefined) => {
    if (!option) return
    onClose()
    void navigate({ to: option.to as '/', search: option.search as never })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((chosen + step + options.length) % Math.max(1, options.length))
    }
    if (event.key === 'Enter') go(options[chosen])
  }
  useEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      title={say('console.header.goTo')}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <OnceOpen>
        <Input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={listId}
          {...(options.length > 0 ? { 'aria-activedescendant': optionId(chosen) } : {})}
          aria-label={say('console.header.goToPlaceholder')}
          placeholder={say('console.header.goToPlaceholder')}
          maxLength={longestText}
          value={typed}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={press}
        />
        <div className="palette-list" id={listId} role="listbox" aria-label={say('console.header.goTo')}>
          {options.map((option, index) => (
            <PaletteEntry
              key={option.key}
              id={optionId(index)}
              option={option}
              isFirstOfGroup={option.group !== options[index - 1]?.group}
              isChosen={index === chosen}
              onChoose={() => go(option)}
            />
          ))}
        </div>
        {failure && <PartFailure read={failure} />}
        <p className="hint" role="status">
          {isSearching && say('console.form.searching')}
          {!isSearching && options.length === 0 && !failure && say('console.header.nothingFound')}
        </p>
      </OnceOpen>
    </Modal>
  )
}

interface EntryProps {
  id: string
  option: PaletteOption
  isFirstOfGroup: boolean
  isChosen: boolean
  onChoose: () => void
}

function PaletteEntry({ id, option, isFirstOfGroup, isChosen, onChoose }: EntryProps) {
  const say = useTexts()
  return (
    <>
      {isFirstOfGroup && (
        <div className="palette-group hint" role="presentation">
          {say(option.group)}
        </div>
      )}
      <button id={id} type="button" role="option" tabIndex={-1} aria-selected={isChosen} onClick={onChoose}>
        {option.name} <span className="hint">{option.hint}</span>
      </button>
    </>
  )
}
