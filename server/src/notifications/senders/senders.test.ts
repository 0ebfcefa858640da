import type { ReceiverKind } from '@chairside/contract'
import { startMessengers, type Messengers } from '@chairside/sandbox/messengers/messengers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSenders } from './create-senders.ts'
import type { Delivery, Message, Sender, Senders } from './sender.ts'

let messengers: Messengers
let senders: Senders
beforeAll(async () => {
  messengers = await startMessengers({ httpPort: 0, smtpPort: 0 })
  senders = sendersWith({ url: messengers.urls.smtp, from: '按摩椅 <alerts@example.com>' })
})
afterAll(() => messengers.stop())

function sendersWith(mail: { url: string; from: string } | undefined): Senders {
  const { http } = messengers.urls
  const robotUrls = { weCom: http, dingTalk: http, feishu: http }
  return createSenders({ mail, robotUrls, webhooksToPrivateAddresses: true })
}

function senderOf(kind: ReceiverKind): Sender {
  const sender = senders[kind]
  if (!sender) throw new Error(`no sender of ${kind}`)
  return sender
}

const webhookSecret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
const secrets = { weCom: null, dingTalk: 'SECd00', feishu: 'a secret', email: null, webhook: webhookSecret }
let robots = 0

/** A robot of its own, for there is a limit to what one takes in a minute. */
function newRobot(kind: ReceiverKind, options: { keyword?: string } = {}) {
  const key = `robot-${kind}-${String(++robots).padStart(8, '0')}`.toLowerCase()
  const secret = secrets[kind]
  const robot = {
    key: kind === 'email' ? `${key}@example.com` : key,
    secret: secret ?? undefined,
    ...options,
  }
  const pasted = messengers.addRobot(kind, robot)
  const address = senderOf(kind).readAddress(pasted)
  if (address === undefined) throw new Error(`${pasted} is no address of ${kind}`)
  return { key: robot.key, to: { address, secret } }
}

const message: Message = {
  id: 'n-1001',
  title: '2 台设备离线 & <b>more</b>',
  lines: ['G100001 · 海底角店 [点我](https://evil.example)', 'G100002 · "Long\nhall" *now*'],
  link: { text: '查看设备', url: 'https://chairs.example.com/devices?state=offline&place=(7)' },
  events: [{ type: 'alert.raised', at: '2026-11-22T08:00:00.000Z', data: { sid: 'G100001' } }],
}
const send = (
  kind: ReceiverKind,
  to: { address: string; secret: string | null },
  change: Partial<Message> = {},
) => senderOf(kind).send(to, { ...message, ...change }, new AbortController().signal)
const received = (robot: string) => messengers.messages.filter((one) => one.robot === robot)

const kinds = ['weCom', 'dingTalk', 'feishu', 'email', 'webhook'] as const

describe.each(kinds)('a message by %s', (kind) => {
  it('arrives, with title, lines and link', async () => {
    const { key, to } = newRobot(kind)
    expect(await send(kind, to)).toEqual({ outcome: 'sent' })
    const [arrived] = received(key)
    for (const part of [
      '台设备离线',
      'G100001 · 海底角店',
      '查看设备',
      'https://chairs.example.com/devices?',
    ])
      expect(arrived?.text).toContain(part)
  })

  it('that is refused is said to be, in the words of who refused it', async () => {
    const { key, to } = newRobot(kind)
    messengers.setFault(kind, key, 'refuse')
    const refusal = {
      weCom: /^93017 robot is not in the group/,
      dingTalk: /^310000 keywords not in content/,
      feishu: /^19024 Key Words Not Found$/,
      email: /^550 5\.1\.1 /,
      webhook: /^HTTP 410 .*this webhook is gone/,
    }[kind]
    const answer = expect.stringMatching(refusal)
    expect(await send(kind, to)).toEqual({ outcome: 'refused', answer, isPassing: false })
    messengers.setFault(kind, key, 'busy')
    expect(await send(kind, to)).toMatchObject({ outcome: 'refused', isPassing: true })
    expect(received(key)).toEqual([])
  })

  it('that nobody answers is given up', async () => {
    const { key, to } = newRobot(kind)
    messengers.setFault(kind, key, 'silent')
    expect(await senderOf(kind).send(to, message, AbortSignal.timeout(150))).toEqual({
      outcome: 'unreachable',
      reason: 'no answer in time',
    })
  })

  it('shows an address that nobody can write to', () => {
    const { key, to } = newRobot(kind)
    const masked = senderOf(kind).maskAddress(to.address)
    expect(masked).toContain('****')
    expect(masked).not.toContain(key)
  })
})

describe('a robot', () => {
  const robotKinds = ['weCom', 'dingTalk', 'feishu'] as const
  const realUrls = {
    weCom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
    dingTalk: 'https://oapi.dingtalk.com/robot/send?access_token=',
    feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/',
  }

  it.each(robotKinds)('of %s is known by its whole URL or its key', (kind) => {
    const { readAddress } = senderOf(kind)
    const key = '693a91f6-7abc-4bc4-97a0-0ec2b1fa5aaa'
    expect(readAddress(` ${realUrls[kind]}${key}\n`)).toBe(key)
    expect(readAddress(key)).toBe(key)
    const others = robotKinds.filter((other) => other !== kind).map((other) => realUrls[other] + key)
    for (const wrong of [
      '',
      'a key',
      'someone@example.com',
      realUrls[kind],
      `${realUrls[kind]}${key}/more`,
      ...others,
    ])
      expect(readAddress(wrong), wrong).toBeUndefined()
  })

  it('of Lark is told from one of Feishu', () => {
    const { readAddress, maskAddress } = senderOf('feishu')
    const lark = 'https://open.larksuite.com/open-apis/bot/v2/hook/693a91f6-7abc-4bc4-97a0-0ec2b1fa5aaa'
    const address = readAddress(lark) ?? ''
    expect(address).not.toBe(readAddress('693a91f6-7abc-4bc4-97a0-0ec2b1fa5aaa'))
    expect(maskAddress(address)).toBe('****5aaa')
  })

  it.each(['dingTalk', 'feishu'] as const)('of %s refuses without the right secret', async (kind) => {
    const { key, to } = newRobot(kind)
    const answer = expect.stringMatching(/^(310000|19021) /)
    for (const secret of ['SECother', null])
      expect(await send(kind, { ...to, secret })).toEqual({ outcome: 'refused', answer, isPassing: false })
    expect(received(key)).toEqual([])
  })

  it.each(robotKinds)('of %s that does not exist refuses, without our key in what is shown', async (kind) => {
    const address = 'no-robot-has-this-key'
    const delivery = await send(kind, { address, secret: null })
    expect(delivery).toMatchObject({ outcome: 'refused', isPassing: false })
    expect(JSON.stringify(delivery)).not.toContain(address)
  })

  it.each(robotKinds)('of %s that had too much is asked later', async (kind) => {
    const { key, to } = newRobot(kind)
    let last: Delivery = { outcome: 'sent' }
    let sent = 0
    for (; last.outcome === 'sent'; sent++) last = await send(kind, to)
    expect(last).toMatchObject({ outcome: 'refused', isPassing: true })
    expect(received(key)).toHaveLength(sent - 1)
  })

  it.each([
    ['weCom', '海'],
    ['dingTalk', '海'],
    ['feishu', '海'],
    ['feishu', '"'],
  ] as const)('of %s gets what fits of a long message, and the link', async (kind, character) => {
    const { key, to } = newRobot(kind)
    const lines = Array.from({ length: 2000 }, (_, index) => `${index} ${character.repeat(40)}`)
    expect(await send(kind, to, { lines, title: character.repeat(500) })).toEqual({ outcome: 'sent' })
    const [arrived] = received(key)
    expect(arrived?.text).toMatch(/\n…\n/)
    expect(arrived?.text).toContain('https://chairs.example.com/devices')
    expect(arrived?.text).toContain(`\n0 ${character}`)
    const mostBytes = kind === 'weCom' ? 4096 : 20_000
    expect(Buffer.byteLength(arrived?.body ?? '')).toBeGreaterThan(mostBytes * 0.9)
  })

  it.each(['weCom', 'dingTalk'] as const)('of %s reads no Markdown into a name', async (kind) => {
    const { key, to } = newRobot(kind)
    await send(kind, to)
    const text = received(key)[0]?.text.replace(message.title, '') ?? ''
    expect(text.match(/\[[^\]]*\]\(/g)).toEqual(['[查看设备]('])
    expect(text).not.toContain('<')
    expect(text).toContain('&place=%287%29)')
  })
})

describe('a mail', () => {
  it('is plain and HTML, with nothing of a name read as HTML, and one id at each attempt', async () => {
    const { key, to } = newRobot('email')
    await send('email', to)
    await send('email', to)
    const [first, second] = received(key)
    expect(first?.text.split('\n')[0]).toBe('2 台设备离线 & <b>more</b>')
    const idOf = (source = '') => /^message-id: (.*)$/im.exec(source)?.[1]?.trim()
    expect(idOf(first?.body)).toBe('<n-1001@example.com>')
    expect(idOf(second?.body)).toBe('<n-1001@example.com>')
    expect(first?.body).toMatch(/^auto-submitted: auto-generated/im)
    const html = first?.body.split('text/html')[1]?.replaceAll('=\r\n', '')
    expect(html).toContain('&#60;b&#62;more')
    expect(html).not.toContain('<b>more')
  })

  it('is sent to a single mailbox', () => {
    const { readAddress, maskAddress } = senderOf('email')
    expect(readAddress(' someone@example.com ')).toBe('someone@example.com')
    expect(maskAddress('someone@example.com')).toBe('s****@example.com')
    for (const wrong of [
      'someone',
      'a@example.com, b@example.com',
      'A <a@example.com>',
      'a@example.com\nBcc: b@c.com',
    ])
      expect(readAddress(wrong), wrong).toBeUndefined()
  })

  it('is tried again when the mail server refuses us', async () => {
    const url = messengers.urls.smtp.replace(':mail@', ':wrong@')
    const { email } = sendersWith({ url, from: 'alerts@example.com' })
    const to = { address: 'someone@example.com', secret: null }
    const delivery = await email?.send(to, message, new AbortController().signal)
    const answer = expect.stringContaining('535')
    expect(delivery).toEqual({ outcome: 'refused', answer, isPassing: true })
  })

  it('is not offered without a mail server', () => {
    expect(sendersWith(undefined).email).toBeUndefined()
  })

  it('says so when there is no mail server', async () => {
    const { email } = sendersWith({ url: 'smtp://127.0.0.1:1', from: 'alerts@example.com' })
    const to = { address: 'someone@example.com', secret: null }
    expect(await email?.send(to, message, new AbortController().signal)).toEqual({
      outcome: 'unreachable',
      reason: 'there is no connection',
    })
  })
})
