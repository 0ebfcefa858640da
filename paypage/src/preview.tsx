import { useEffect, useState } from 'preact/hooks'
import type { PayPage } from './api.ts'
import { LanguageContext, type PageLanguage } from './language.ts'
import { ChairPage } from './screens/chair-page.tsx'

/** What the console's preview is told, again with each change. */
interface Shown {
  page: PayPage
  language: PageLanguage
}

/** The page as it would be, inside the console: it is told what to show by the window around it, and sells nothing. */
export function Preview() {
  const [shown, setShown] = useState<Shown | null>(null)
  const [chosen, setChosen] = useState<PageLanguage | null>(null)
  useEffect(() => {
    const take = ({ source, origin, data }: MessageEvent) => {
      if (source === parent && origin === location.origin) setShown(data as Shown)
    }
    addEventListener('message', take)
    parent.postMessage('ready', location.origin)
    return () => removeEventListener('message', take)
  }, [])
  const language = chosen ?? shown?.language ?? 'en'
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  if (!shown) return null
  // What can be chosen decides what is chosen first.
  const choice = shown.page.goods.map(({ id, instock, memberOnly }) => [id, instock === 0, memberOnly])
  return (
    <LanguageContext.Provider value={language}>
      <div
        class="preview"
        onSubmitCapture={(event) => {
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        <ChairPage
          key={JSON.stringify(choice)}
          page={shown.page}
          onReload={() => undefined}
          onLanguage={setChosen}
        />
      </div>
    </LanguageContext.Provider>
  )
}
