import { createHash, timingSafeEqual } from 'node:crypto'

import { deviceIdPattern } from '@chairside/contract'
import { deviceTopic, reportChannels } from '@chairside/contract/devices/device-protocol'

import type { BrokerIdentity, BrokerLogin } from '../../kit/embedded-broker.ts'

/** User name of our own gateways; no device id looks like it. */
export const gatewayUsername = 'gateway'

/** Name of a gateway's session with the broker. */
export const gatewayClientId = (instanceName: string) => `${gatewayUsername}-${instanceName}`

/** A board speaks on its own topics and listens to its own commands. */
export function boardAccess(sid: string): BrokerIdentity {
  const reportTopics = new Set(reportChannels.map((channel) => deviceTopic(sid, channel)))
  const commandTopic = deviceTopic(sid, 'command')
  return {
    mayPublish: (topic) => reportTopics.has(topic),
    maySubscribe: (filter) => filter === commandTopic,
    isOurs: false,
  }
}

const gatewayAccess: BrokerIdentity = {
  mayPublish: () => true,
  // the embedded broker would take the words of a shared subscription for a plain topic
  maySubscribe: (filter) => !filter.startsWith('$share/'),
  isOurs: true,
}

/**
 * Who may log in to the embedded broker: our gateways with their secret, and boards whose client id and user name are
 * their device id. A wrong password is answered late, so that guessing is slow.
 */
export function createBrokerLogin(options: {
  gatewayPassword: string
  /** Whether this is the password of a device there is. */
  checkBoard(sid: string, password: string): Promise<boolean>
  /** Before a refusal is answered. */
  refusalPauseMs?: number
}): (login: BrokerLogin) => Promise<BrokerIdentity | undefined> {
  const identify = async ({ clientId, username, password }: BrokerLogin) => {
    if (username === gatewayUsername) {
      const isGateway =
        clientId.startsWith(`${gatewayUsername}-`) && isSame(password, options.gatewayPassword)
      return isGateway ? gatewayAccess : undefined
    }
    if (clientId !== username || !deviceIdPattern.test(username) || password === '') return undefined
    return (await options.checkBoard(username, password)) ? boardAccess(username) : undefined
  }
  const { refusalPauseMs = 1000 } = options
  return async (login) => {
    const identity = await identify(login)
    if (!identity) await new Promise((resolve) => setTimeout(resolve, refusalPauseMs).unref())
    return identity
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
