import { createHash } from 'node:crypto'
import type { EmbeddedBroker } from '../../kit/embedded-broker.ts'
import type { Log } from '../../kit/limited-log.ts'
import { connectMqtt } from '../../kit/mqtt.ts'
import { gatewayClientId, gatewayUsername } from './broker-access.ts'
import type { GatewayOptions } from './gateway.ts'

/**
 * The group in which gateways share what boards say; all of them have the same password. Mosquitto lets every client into
 * every group, and drops what falls to one that may not hear it: a board that knew the name could make reports vanish.
 */
const groupOf = (gatewayPassword: string) =>
  `chairside-${createHash('sha256').update(`group of ${gatewayPassword}`).digest('base64url')}`

/** How a gateway reaches its broker: within the process when it is the embedded one, else over the network. */
export function connectGateway(
  broker: EmbeddedBroker | { url: string; gatewayPassword: string },
  { instanceName, log }: { instanceName: string; log: Log },
): GatewayOptions['connect'] {
  if ('connect' in broker) return (_filters, onMessage) => broker.connect(onMessage)
  return (filters, onMessage) =>
    connectMqtt({
      url: broker.url,
      clientId: gatewayClientId(instanceName),
      username: gatewayUsername,
      password: broker.gatewayPassword,
      filters,
      shareGroup: groupOf(broker.gatewayPassword),
      onMessage,
      log,
    })
}
