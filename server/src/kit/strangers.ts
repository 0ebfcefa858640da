import type net from 'node:net'
import { networkOfAddress } from './network-of-address.ts'

export interface StrangerLimits {
  /** Connections that have not said who they are yet. */
  strangers: number
  /** Of these, such as come from one address: who floods us from there leaves room for the others. */
  strangersOfOneAddress: number
}

/** Connections that have not said who they are yet, in all and by where they come from. */
export class Strangers {
  readonly #limits: StrangerLimits
  /** Where each comes from. */
  readonly #networks = new Map<net.Socket, string>()
  readonly #counts = new Map<string, number>()

  constructor(limits: StrangerLimits) {
    this.#limits = limits
  }

  /** @returns whether there is room for it */
  add(socket: net.Socket): boolean {
    const network = networkOfAddress(socket.remoteAddress ?? '')
    const count = this.#counts.get(network) ?? 0
    const { strangers, strangersOfOneAddress } = this.#limits
    if (this.#networks.size >= strangers || count >= strangersOfOneAddress) return false
    this.#networks.set(socket, network)
    this.#counts.set(network, count + 1)
    return true
  }

  /** It said who it is, or left. */
  delete(socket: net.Socket): void {
    const network = this.#networks.get(socket)
    if (network === undefined) return
    this.#networks.delete(socket)
    const left = (this.#counts.get(network) ?? 0) - 1
    if (left > 0) this.#counts.set(network, left)
    else this.#counts.delete(network)
  }
}
