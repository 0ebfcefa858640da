import { useTexts } from '../language.ts'

/** Where cookies are refused, the server does not know whose an order is. */
export function NoCookies() {
  const { say } = useTexts()
  if (navigator.cookieEnabled) return null
  return <aside class="notice">{say('noCookies')}</aside>
}
