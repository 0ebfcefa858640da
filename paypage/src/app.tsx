import { useCallback, useEffect, useState } from 'preact/hooks'
import { api, Refused, type PayPage } from './api.ts'
import { LanguageContext, languageFor, rememberLanguage, useTexts, type PageLanguage } from './language.ts'
import { ChairPage } from './screens/chair-page.tsx'

type Loading = { state: 'loading' } | { state: 'failed'; message: string } | { state: 'shown'; page: PayPage }

/** The page of one chair: loads what it shows and knows the language. */
export function App({ deviceId }: { deviceId: string }) {
  const [loading, setLoading] = useState<Loading>({ state: 'loading' })
  const [language, setLanguage] = useState<PageLanguage>(() => languageFor(3))
  const [chosen, setChosen] = useState(false)

  const load = useCallback(async () => {
    try {
      const page = await api.page(language, deviceId)
      if (!chosen) setLanguage(languageFor(page.frontLang))
      setLoading({ state: 'shown', page })
    } catch (error) {
      setLoading({ state: 'failed', message: error instanceof Refused ? error.message : '' })
    }
  }, [deviceId, language, chosen])
  useEffect(() => void load(), [load])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  const choose = (next: PageLanguage) => {
    rememberLanguage(next)
    setChosen(true)
    setLanguage(next)
  }

  return (
    <LanguageContext.Provider value={language}>
      {loading.state === 'shown' ? (
        <ChairPage page={loading.page} onReload={load} onLanguage={choose} />
      ) : (
        <Waiting message={loading.state === 'failed' ? loading.message : undefined} onRetry={load} />
      )}
    </LanguageContext.Provider>
  )
}

function Waiting({ message, onRetry }: { message: string | undefined; onRetry: () => void }) {
  const { say } = useTexts()
  if (message === undefined) {
    return (
      <main class="center" aria-busy="true">
        <p role="status">{say('loading')}</p>
      </main>
    )
  }
  return (
    <main class="center">
      <div role="alert">
        <h1>{message === '' ? say('noConnection') : say('unknownDevice')}</h1>
      </div>
      <button class="secondary" type="button" onClick={onRetry}>
        {say('retry')}
      </button>
    </main>
  )
}
