import type { EmbeddedBroker } from '../../kit/embedded-broker.ts'
import type { Log } from '../../kit/limited-log.ts'
import { connectMqtt } from '../../kit/mqtt.ts'
import { gatewayClientId, gatewayUsername } from './broker-access.ts'
import type { GatewayOptions } from './gateway.ts'

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
      shareGroup: 'chairside',
      onMessage,
      log,
    })
}
