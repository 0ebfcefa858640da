import { BlockList, isIPv6, type Socket } from 'node:net'
import { networkOfAddress } from './network-of-address.ts'

export interface StrangerLimits {
  /** Connections that have not said who they are yet. */
  strangers: number
  /** Of these, such as come from one address: who floods us from there leaves room for the others. */
  strangersOfOneAddress: number
  /** Whether all boards may come from an address, because somebody of ours passes their connections on to us. */
  mayBeProxy(address: string): boolean
}

const ownNetworks = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  ownNetworks.addSubnet(network, bits, 'ipv6')

/** Whether an address is of a network of one's own: of this machine, or one that is not reached from outside. */
export function isOfOwnNetwork(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return ownNetworks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** Connections that have not said who they are yet, in all and by where they come from. */
export class Strangers {
  readonly #limits: StrangerLimits
  /** Where each comes from. */
  readonly #networks = new Map<Socket, string>()
  readonly #counts = new Map<string, number>()

  constructor(limits: StrangerLimits) {
    this.#limits = limits
  }

  /** @returns whether there is room for it */
  add(socket: Socket): boolean {
    const { remoteAddress: address = '' } = socket
    const network = networkOfAddress(address)
    const count = this.#counts.get(network) ?? 0
    const { strangers, strangersOfOneAddress, mayBeProxy } = this.#limits
    if (this.#networks.size >= strangers) return false
    if (count >= strangersOfOneAddress && !mayBeProxy(address)) return false
    this.#networks.set(socket, network)
    this.#counts.set(network, count + 1)
    return true
  }

  /** It said who it is, or left. */
  delete(socket: Socket): void {
    const network = this.#networks.get(socket)
    if (network === undefined) return
    this.#networks.delete(socket)
    const left = (this.#counts.get(network) ?? 0) - 1
    if (left > 0) this.#counts.set(network, left)
    else this.#counts.delete(network)
  }
}
