import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const page = document.getElementById('page')
const deviceId = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const show = async (element: HTMLElement) => {
  if (location.pathname !== '/pay-preview') return render(<App deviceId={deviceId} />, element)
  const { Preview } = await import('./preview.tsx')
  render(<Preview />, element)
}
if (page) void show(page)
