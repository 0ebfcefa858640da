import { App } from 'antd'
import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { useTexts } from './language.tsx'
import { isReachable } from './reachable.ts'

/** Fetches the code of a component once, however often it is shown. Browsers keep a failure until the page is loaded again. */
function fetchedOnce<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part: ComponentType<Props> | undefined
  return function usePart(onFailure: (error: unknown) => void): ComponentType<Props> | undefined {
    const [isLoaded, setLoaded] = useState(Part !== undefined)
    const tellFailure = useEffectEvent(onFailure)
    useEffect(() => {
      if (isLoaded) return
      let isShown = true
      const fetchPart = async () => {
        try {
          Part = await load()
          if (isShown) setLoaded(true)
        } catch (error) {
          if (isShown) tellFailure(error)
        }
      }
      void fetchPart()
      return () => {
        isShown = false
      }
    }, [isLoaded])
    return Part
  }
}

/**
 * A component whose code is fetched when it is first shown. React's own way to do so, `lazy` below `Suspense`, keeps what
 * stands in its place for three tenths of a second, lest it flicker, even when the code is there already. What cannot be
 * fetched fails as the page does that shows it.
 * @param placeholder what stands in its place until then
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  const usePart = fetchedOnce(load)
  return function LazyPart(props: Props) {
    const [failure, setFailure] = useState<unknown>()
    const Part = usePart(setFailure)
    if (failure !== undefined) throw failure
    return Part ? <Part {...props} /> : placeholder(props)
  }
}

/** The same for a dialog: when it cannot be fetched, a message says so, and the page below it stays with what was typed. */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const usePart = fetchedOnce(load)
  return function LazyDialog(props: Props) {
    const say = useTexts()
    const { message } = App.useApp()
    const tell = async () => {
      const reason = (await isReachable())
        ? say('console.blocked.brokenExplain')
        : say('console.form.networkFailure', { status: 0 })
      void message.error(say('console.list.failed', { reason }))
    }
    const Dialog = usePart(() => {
      void tell()
      props.onClose()
    })
    return Dialog ? <Dialog {...props} /> : null
  }
}
