import { isIPv6 } from 'node:net'

const groupsOfAddress = 8
const groupsOfNetwork = 4

/**
 * Whom an address is counted for: itself, or for IPv6 the 64 bits that a line gets, in which anybody has as many
 * addresses as he likes.
 */
export function networkOfAddress(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const left = Array<string>(Math.max(0, groupsOfAddress - before.length - after.length)).fill('0')
  const groups = [...before, ...left, ...after].slice(0, groupsOfNetwork)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
