import { startSimulatedChairs, type SimulatedChairs } from '@chairside/sandbox/chairs/simulated-chairs'
import type { FleetAnswer, FleetOrder } from './fleet-messages.ts'

/*
 * A process with simulated chairs as the demo has them: they beat once a minute, and come back by themselves with
 * growing pauses.
 */

const answer = (message: FleetAnswer) => process.send?.(message)
let chairs: SimulatedChairs | undefined

process.on('message', (message: FleetOrder) => {
  switch (message.order) {
    case 'connect':
      chairs = startSimulatedChairs({
        mqttUrl: message.mqttUrl,
        chairs: message.boards.map((board) => ({ ...board, model: 'CS-100 Classic' })),
        spreadMs: 0,
      })
      break
    case 'dropLines':
      chairs?.stormReconnect(1)
      break
    case 'count':
      answer({
        counts: { connected: chairs?.connectedCount() ?? 0, attempts: chairs?.counts().attempts ?? 0 },
      })
      break
  }
})
process.once('disconnect', () => process.exit())
