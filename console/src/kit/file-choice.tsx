import { Button } from 'antd'
import { useRef, useState, type ComponentProps, type DragEvent } from 'react'

interface Props {
  /** Of the field that the file is for. */
  attributes: ComponentProps<'input'>
  /** Types that the browser offers. */
  accept: string
  text: string
  isDisabled?: boolean
  onChoose: (file: File) => void
}

/** Chooses a file, by mouse, keyboard or screen reader. */
export function FileChoice({ attributes, accept, text, isDisabled = false, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        {...attributes}
        ref={input}
        className="unseen"
        type="file"
        accept={accept}
        disabled={isDisabled}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again after it was mended.
          target.value = ''
          if (file) onChoose(file)
        }}
      />
      {/* The input before it is what keyboard and screen reader use; this is where the mouse goes. */}
      <Button tabIndex={-1} aria-hidden disabled={isDisabled} onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  )
}

/** Takes the first file that is dropped on whatever has the `zone` attributes; `isOver` while one hovers. */
export function useFileDrop(onDrop: (file: File) => void, isDisabled = false) {
  const [isOver, setOver] = useState(false)
  const zone = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(!isDisabled)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file && !isDisabled) onDrop(file)
    },
  }
  return { isOver, zone }
}
