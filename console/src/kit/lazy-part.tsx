import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A component whose code is fetched when it is first shown. React's own way to do so, `lazy` below `Suspense`, keeps what
 * stands in its place for three tenths of a second, lest it flicker, even when the code is there already.
 * @param placeholder what stands in its place until then
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined
  return function LazyPart(props: Props) {
    const [failure, setFailure] = useState<unknown>()
    const [isLoaded, setLoaded] = useState(Part !== undefined)
    useEffect(() => {
      if (isLoaded) return
      let isShown = true
      const fetchPart = async () => {
        try {
          Part = await load()
          if (isShown) setLoaded(true)
        } catch (error) {
          if (isShown) setFailure(error)
        }
      }
      void fetchPart()
      return () => {
        isShown = false
      }
    }, [isLoaded])
    if (failure !== undefined) throw failure
    return Part ? <Part {...props} /> : placeholder(props)
  }
}
