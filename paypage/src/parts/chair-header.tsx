import type { PayPage } from '../api.ts'
import { useTexts, type PageLanguage } from '../language.ts'

interface Props {
  page: PayPage
  hasOrder: boolean
  onLanguage: (language: PageLanguage) => void
}

/** Whose chair it is and where, and the other language. */
export function ChairHeader({ page, hasOrder, onLanguage }: Props) {
  const { language, texts } = useTexts()
  const other = language === 'en' ? 'zh-CN' : 'en'
  return (
    <header>
      <div>
        {/* An order has a heading of its own. */}
        {hasOrder ? (
          <p class="merchant">{page.merchantName}</p>
        ) : (
          <h1 class="merchant">{page.merchantName}</h1>
        )}
        <p class="place">
          {page.placeAddress} · {page.deviceName || page.deviceId}
        </p>
      </div>
      {page.frontLang === 3 && (
        <button class="language" type="button" lang={other} onClick={() => onLanguage(other)}>
          {texts.otherLanguage}
        </button>
      )}
    </header>
  )
}
