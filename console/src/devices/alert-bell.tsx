import { countAlerts } from '@chairside/contract'
import { BellOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { useReadEvery } from '../kit/call.ts'
import { formatCount } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { useMay } from '../kit/user.ts'
import './alerts.css'

/** As often as the server looks for alerts. */
const everyMs = 60_000
/** More than a bell has room for. */
const mostShown = 99

/** How many open alerts nobody of the organisation has seen, on every screen; it leads to them. */
export function AlertBell() {
  const say = useTexts()
  const { language } = useLanguage()
  const isReader = useMay()('alert.list')
  const { open, unseen } = useReadEvery(countAlerts, {}, everyMs, isReader) ?? { open: 0, unseen: 0 }
  if (!isReader) return null
  const label = say('alerts.list.bell', {
    open: formatCount(open, language),
    unseen: formatCount(unseen, language),
  })
  return (
    <Link to={'/alerts' as '/'} className="alert-bell" aria-label={label} title={label}>
      <BellOutlined aria-hidden />
      {unseen > 0 && <span aria-hidden="true">{unseen > mostShown ? `${mostShown}+` : unseen}</span>}
    </Link>
  )
}
