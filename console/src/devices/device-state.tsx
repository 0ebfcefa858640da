import { shownLock, type DeviceRow } from '@chairside/contract'
import { joinWords } from '@chairside/contract/locales/languages'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { StatusTag } from '../kit/status-tag.tsx'
import { useUser } from '../kit/user.ts'

/** Online or not, and whether it runs or is blocked. */
export function DeviceStatus({ device }: { device: DeviceRow }) {
  const say = useTexts()
  return (
    <span className="tags">
      <StatusTag of="devices.status" value={String(device.status)} />
      {device.running && <span className="tag tag-busy">{say('console.devices.running')}</span>}
      {device.blocked && <span className="tag tag-bad">{say('console.devices.blocked')}</span>}
    </span>
  )
}

/** Locked or not, as the user may know it. */
export function DeviceLock({ device }: { device: DeviceRow }) {
  const { type } = useUser()
  return <StatusTag of="devices.locked" value={String(shownLock(device.locked, type))} />
}

/** Bound or not, and what a bound one lacks to sell. */
export function DeviceBinding({ device }: { device: DeviceRow }) {
  const textOf = useTextOf()
  const { language } = useLanguage()
  const lacking = joinWords(
    device.cannotSell.map((reason) => textOf(`devices.cannotSell.${reason}`)),
    language,
  )
  return (
    <>
      <StatusTag of="devices.associated" value={String(device.associated)} />
      {lacking && <div className="cannot-sell">{lacking}</div>}
    </>
  )
}
