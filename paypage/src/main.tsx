import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const page = document.getElementById('page')
const deviceId = decodeURIComponent(location.pathname.split('/')[2] ?? '')
if (page) render(<App deviceId={deviceId} />, page)
