import { startMessengers, type Messengers } from '@chairside/sandbox/messengers/messengers'
import dns from 'node:dns'
import { once } from 'node:events'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net, { type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Message } from './sender.ts'
import { createWebhookSender } from './webhook.ts'

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
const anywhere = createWebhookSender({ mayBePrivate: true })
const outside = createWebhookSender({ mayBePrivate: false })

const message: Message = {
  id: 'n-1001',
  title: 'A refund waits',
  lines: ['KT1 · 12.00'],
  link: { text: 'Decide', url: 'https://chairs.example.com/refunds/1' },
  events: [{ type: 'refund.waits', at: '2026-11-22T08:00:00.000Z', data: { orderId: 'KT1' } }],
}
const signal = new AbortController().signal

let messengers: Messengers
beforeAll(async () => {
  messengers = await startMessengers({ httpPort: 0, smtpPort: 0 })
})
afterAll(() => messengers.stop())

const servers: net.Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))
async function listen(server: net.Server): Promise<number> {
  servers.push(server.listen(0))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('a webhook', () => {
  it('is told as Standard Webhooks describe it', async () => {
    const address = messengers.addRobot('webhook', { key: 'ours', secret })
    expect(await anywhere.send({ address, secret }, message, signal)).toEqual({ outcome: 'sent' })
    const { title, lines, link, events } = message
    expect(JSON.parse(messengers.messages.at(-1)?.body ?? '')).toEqual({
      type: 'notification',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { title, lines, link, events },
    })
  })

  it('whose owner has another secret says so', async () => {
    const address = messengers.addRobot('webhook', { key: 'theirs', secret })
    for (const other of [`whsec_${Buffer.from('another secret').toString('base64')}`, null])
      expect(await anywhere.send({ address, secret: other }, message, signal)).toMatchObject({
        outcome: 'refused',
        answer: expect.stringMatching(/^HTTP 401 /),
        isPassing: false,
      })
  })

  it('is an https address without a login', () => {
    expect(outside.readAddress(' https://hooks.example.com/in?key=1#top ')).toBe(
      'https://hooks.example.com/in?key=1',
    )
    expect(outside.maskAddress('https://hooks.example.com/in?key=1')).toBe('https://hooks.example.com/****')
    for (const wrong of [
      'hooks.example.com',
      'http://hooks.example.com/',
      'https://a:b@example.com/',
      'ftp://a.b/',
    ])
      expect(outside.readAddress(wrong), wrong).toBeUndefined()
    expect(anywhere.readAddress('http://10.0.0.7/hook')).toBe('http://10.0.0.7/hook')
  })

  it.each([
    [301, false],
    [400, false],
    [429, true],
    [502, true],
  ])(
    'that answers %i is not followed anywhere, and asked again when that may help',
    async (status, isPassing) => {
      let asked = 0
      const port = await listen(
        http.createServer((_request, response) => {
          asked++
          response.writeHead(status, { location: '/elsewhere' }).end(`no <${'x'.repeat(100_000)}`)
        }),
      )
      const delivery = await anywhere.send({ address: `http://127.0.0.1:${port}/`, secret }, message, signal)
      expect(delivery).toEqual({
        outcome: 'refused',
        answer: expect.stringMatching(new RegExp(`^HTTP ${status} no <x{200,}…$`)),
        isPassing,
      })
      expect(JSON.stringify(delivery).length).toBeLessThan(400)
      expect(asked).toBe(1)
    },
  )

  it('that breaks off, is not there or is not itself is said to be', async () => {
    const port = await listen(net.createServer((socket) => socket.destroy()))
    const reasonAt = async (address: string) => {
      const delivery = await anywhere.send({ address, secret }, message, signal)
      return delivery.outcome === 'unreachable' && delivery.reason
    }
    expect(await reasonAt(`http://127.0.0.1:${port}/`)).toBe('the connection broke')
    expect(await reasonAt('http://127.0.0.1:1/')).toBe('there is no connection')
    expect(await reasonAt('https://no-such-host.invalid/')).toBe('the host is not found')
  })
})

describe('a webhook that leads inside', () => {
  it.each([
    ['a name', 'localhost'],
    ['loopback', '127.0.0.1'],
    ['another loopback', '127.9.9.9'],
    ['no address', '0.0.0.0'],
    ['a number', '2130706433'],
    ['hexadecimal', '0x7f.1'],
    ['loopback of IPv6', '[::1]'],
    ['IPv4 in IPv6', '[::ffff:127.0.0.1]'],
    ['IPv4 in IPv6 by name', '[::ffff:7f00:1]'],
    ['a private network', '10.0.0.7'],
    ['another private network', '192.168.1.1'],
    ["a provider's network", '100.64.0.1'],
    ['link-local', '169.254.169.254'],
    ['unique local', '[fd00::1]'],
  ])('by %s is not connected to', async (_, host) => {
    let connections = 0
    const port = await listen(net.createServer(() => connections++))
    for (const protocol of ['https', 'http']) {
      const address = `${protocol}://${host}:${port}/`
      expect(await outside.send({ address, secret }, message, signal), address).toEqual({
        outcome: 'unreachable',
        reason: 'the address is private',
      })
    }
    expect(connections).toBe(0)
  })

  it.each(['169.254.169.254', '[::ffff:169.254.169.254]', '100.100.100.200', '[fd00:ec2::254]'])(
    'to the credentials of a cloud, at %s, is never connected to',
    async (host) => {
      expect(await anywhere.send({ address: `http://${host}/`, secret }, message, signal)).toEqual({
        outcome: 'unreachable',
        reason: 'the address is private',
      })
    },
  )

  it.each(['169.254.169.254', '::ffff:169.254.169.254', '::ffff:100.100.100.200', 'fd00:ec2::254'])(
    'to the credentials of a cloud, by a name of %s, is never connected to',
    async (leadsTo) => {
      const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...given: unknown[]) => {
        const done = given.at(-1)
        if (typeof done === 'function') done(null, [{ address: leadsTo, family: net.isIP(leadsTo) }])
      })
      syncBuiltinESMExports()
      const address = 'http://metadata.example/'
      const told = await anywhere.send({ address, secret }, message, signal)
      lookup.mockRestore()
      syncBuiltinESMExports()
      expect(told).toEqual({ outcome: 'unreachable', reason: 'the address is private' })
    },
  )
})
