import { useEffect, useState } from 'preact/hooks'
import { Refused, type PayPage } from './api.ts'
import { LanguageContext, languageFor, rememberLanguage, useTexts, type PageLanguage } from './language.ts'
import { Help } from './parts/help.tsx'
import { NoCookies } from './parts/no-cookies.tsx'
import { StaffLink } from './parts/staff.tsx'
import { ChairPage } from './screens/chair-page.tsx'
import { usePage } from './use-page.ts'

/** The page of one chair: loads what it shows and knows the language. */
export function App({ deviceId }: { deviceId: string }) {
  const [language, setLanguage] = useState<PageLanguage>(() => languageFor(3))
  const [chosen, setChosen] = useState(false)
  const { page, failure, load } = usePage(deviceId, language)
  useEffect(() => {
    if (page && !chosen) setLanguage(languageFor(page.frontLang))
  }, [page, chosen])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])

  useEffect(() => {
    if (page) document.title = titleOf(page)
  }, [page])

  const choose = (next: PageLanguage) => {
    rememberLanguage(next)
    setChosen(true)
    setLanguage(next)
  }

  return (
    <LanguageContext.Provider value={language}>
      {page ? (
        <>
          <StaffLink deviceId={deviceId} />
          <NoCookies />
          <ChairPage page={page} failure={failure} onReload={load} onLanguage={choose} />
        </>
      ) : (
        <Waiting failure={failure} onRetry={load} />
      )}
    </LanguageContext.Provider>
  )
}

/** What the phone writes above the page and its tab: whose chair it is, and which. */
const titleOf = ({ merchantName, deviceName, deviceId }: PayPage) =>
  [merchantName, deviceName || deviceId].filter(Boolean).join(' · ')

/** Result codes of a chair that is not there, and of what is no chair's id. */
const unknownCodes: ReadonlySet<string> = new Set(['104', '100'])

/** Before there is anything to show: why not, and somebody to ask. */
function Waiting({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  const { say } = useTexts()
  if (failure === undefined) {
    return (
      <main class="center" aria-busy="true">
        <p role="status">{say('loading')}</p>
      </main>
    )
  }
  const why = () => {
    if (!(failure instanceof Refused)) return say('noConnection')
    return unknownCodes.has(failure.code) ? say('unknownDevice') : failure.message
  }
  return (
    <>
      <main class="center">
        <div role="alert">
          <h1>{why()}</h1>
        </div>
        <button class="secondary" type="button" onClick={onRetry}>
          {say('retry')}
        </button>
      </main>
      <Help orderId="" phone="" />
    </>
  )
}
