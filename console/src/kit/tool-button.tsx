import { Button, type ButtonProps } from 'antd'
import type { ReactNode, Ref } from 'react'
import { useNarrow } from './narrow.ts'

interface Props extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: ReactNode
  text: string
  ref?: Ref<HTMLButtonElement>
}

/** One of what every list has beside its title; on a phone only its icon, so that all of them fit in one line. */
export function ToolButton({ icon, text, ...rest }: Props) {
  const narrow = useNarrow()
  return (
    <Button icon={icon} {...(narrow ? { 'aria-label': text, title: text } : {})} {...rest}>
      {!narrow && text}
    </Button>
  )
}
