import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const page = document.getElementById('page')
const deviceId = readDeviceId(location.pathname.split('/')[2] ?? '')
const show = async (element: HTMLElement) => {
  const isPreview = location.pathname === '/pay-preview'
  const { Preview } = isPreview ? await import('./preview.tsx') : {}
  // What stood there until the script came.
  element.replaceChildren()
  render(Preview ? <Preview /> : <App deviceId={deviceId} />, element)
}
if (page) void show(page)

/** What cannot be decoded is no chair's id, and is asked for all the same: the answer has the words for that. */
function readDeviceId(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
