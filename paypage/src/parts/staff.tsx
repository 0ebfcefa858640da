import { readKept } from '../kept.ts'
import { useTexts } from '../language.ts'

/** Set by the console where somebody is signed in. */
const staffKey = 'staff'

/** Address of a chair's card in the console. */
export const chairCard = (deviceId: string): string => `/devices/card/${encodeURIComponent(deviceId)}`

/** For who works here: the same sticker leads to the chair's card. Customers see nothing of it. */
export function StaffLink({ deviceId }: { deviceId: string }) {
  const { say } = useTexts()
  if (!deviceId || readKept(staffKey) === null) return null
  return (
    <nav>
      <a class="staff" href={chairCard(deviceId)}>
        {say('staffCard')}
      </a>
    </nav>
  )
}
