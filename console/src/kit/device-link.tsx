import { useNavigate } from '@tanstack/react-router'
import { Copyable } from './copyable.tsx'
import { useTexts } from './language.tsx'
import { useMay } from './user.ts'

interface Props {
  deviceId: string
  /** What is closed first, since it may stand above that very card. */
  onLeave?: () => void
}

/** A device's id, which copies with one click and opens the device's card for whoever may see devices. */
export function DeviceLink({ deviceId, onLeave }: Props) {
  const say = useTexts()
  const navigate = useNavigate()
  const open = () => {
    onLeave?.()
    void navigate({ to: `/devices/card/${deviceId}` })
  }
  const mayOpen = useMay()('device.list')
  // A recharge has none.
  if (deviceId === '') return say('console.list.none')
  return <Copyable value={deviceId} onOpen={mayOpen ? open : undefined} />
}
