import { useParams } from '@tanstack/react-router'
import { ChairCard } from '../devices/chair-card.tsx'
import { ChairOrders } from '../orders/chair-orders.tsx'

/** `/devices/card/{id}`: one chair, with everything that somebody standing in front of it needs. */
export function ChairPage() {
  const { deviceId = '' } = useParams({ strict: false }) as { deviceId?: string }
  const id = deviceId.toUpperCase()
  return (
    <ChairCard key={id} deviceId={id}>
      <ChairOrders deviceId={id} />
    </ChairCard>
  )
}
