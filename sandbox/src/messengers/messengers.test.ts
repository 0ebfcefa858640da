import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMessengers, type Messengers } from './messengers.ts'

let messengers: Messengers
beforeAll(async () => {
  messengers = await startMessengers({ httpPort: 0, smtpPort: 0 })
})
afterAll(() => messengers.stop())

async function tell(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return { status: response.status, json: await response.json() }
}
const anHourAndMoreAgo = () => Date.now() - 3_660_000

describe('WeCom', () => {
  it('refuses what is no message, or too long in bytes', async () => {
    const robot = messengers.addRobot('weCom', { key: 'wecom-of-the-test' })
    const refusalOf = async (body: unknown) => (await tell(robot, body)).json
    const markdown = (content: string) => ({ msgtype: 'markdown', markdown: { content } })
    const text = (content: string) => ({ msgtype: 'text', text: { content } })
    expect(await refusalOf({})).toMatchObject({ errcode: 40008 })
    expect(await refusalOf(text(''))).toMatchObject({ errcode: 44004 })
    expect(await refusalOf(text('海'.repeat(683)))).toMatchObject({ errcode: 40058 })
    expect(await refusalOf(text('海'.repeat(682)))).toEqual({ errcode: 0, errmsg: 'ok' })
    expect(await refusalOf(markdown('海'.repeat(1366)))).toMatchObject({ errcode: 40058 })
    expect(await refusalOf(markdown('海'.repeat(1365)))).toEqual({ errcode: 0, errmsg: 'ok' })
    expect(await tell(`${robot}x`, text('hello'))).toMatchObject({ status: 200, json: { errcode: 93000 } })
  })

  it('takes twenty messages in a minute', async () => {
    const robot = messengers.addRobot('weCom', { key: 'wecom-asked-often' })
    const body = { msgtype: 'text', text: { content: 'hello' } }
    for (let count = 1; count <= 20; count++)
      expect((await tell(robot, body)).json).toMatchObject({ errcode: 0 })
    expect((await tell(robot, body)).json).toMatchObject({ errcode: 45009 })
  })
})

describe('DingTalk', () => {
  const text = (content: string) => ({ msgtype: 'text', text: { content } })

  it('asks for a signature that is less than an hour old', async () => {
    const secret = 'SECd00'
    const robot = messengers.addRobot('dingTalk', { key: 'dingtalk-of-the-test', secret })
    const refusalOf = async (timestamp: number, by = secret) => {
      const sign = createHmac('sha256', by).update(`${timestamp}\n${by}`).digest('base64')
      return (await tell(`${robot}&timestamp=${timestamp}&sign=${encodeURIComponent(sign)}`, text('hello')))
        .json
    }
    expect(await refusalOf(Date.now())).toEqual({ errcode: 0, errmsg: 'ok' })
    expect(await refusalOf(anHourAndMoreAgo())).toEqual({ errcode: 310000, errmsg: 'invalid timestamp' })
    expect(await refusalOf(Date.now(), 'SECother')).toEqual({ errcode: 310000, errmsg: 'sign not match' })
    expect((await tell(robot, text('hello'))).json).toMatchObject({ errcode: 310000 })
  })

  it('refuses what has not its keyword, is no message or too long', async () => {
    const robot = messengers.addRobot('dingTalk', { key: 'dingtalk-with-a-word', keyword: '设备' })
    const refusalOf = async (body: unknown) => (await tell(robot, body)).json
    expect(await refusalOf(text('座椅离线'))).toMatchObject({ errcode: 310000 })
    expect(await refusalOf(text('设备离线'))).toMatchObject({ errcode: 0 })
    expect(await refusalOf({ msgtype: 'markdown', markdown: { text: '设备' } })).toMatchObject({
      errcode: 400105,
    })
    expect(await refusalOf(text('设备'.repeat(4000)))).toMatchObject({ errcode: 460101 })
    expect(await tell(`${robot}x`, text('设备'))).toMatchObject({ json: { errcode: 300005 } })
  })
})

describe('Feishu', () => {
  const text = (content: string) => ({ msg_type: 'text', content: { text: content } })

  it('asks for a signature that is less than an hour old', async () => {
    const secret = 'a secret'
    const robot = messengers.addRobot('feishu', { key: 'feishu-of-the-test', secret })
    const refusalOf = async (ms: number, by = secret) => {
      const timestamp = String(Math.floor(ms / 1000))
      const sign = createHmac('sha256', `${timestamp}\n${by}`).digest('base64')
      return (await tell(robot, { timestamp, sign, ...text('hello') })).json
    }
    expect(await refusalOf(Date.now())).toMatchObject({ code: 0, msg: 'success' })
    expect(await refusalOf(anHourAndMoreAgo())).toMatchObject({ code: 19021 })
    expect(await refusalOf(Date.now(), 'another')).toMatchObject({ code: 19021 })
    expect((await tell(robot, text('hello'))).json).toMatchObject({ code: 19021 })
  })

  it('refuses what has not its keyword, is no message or too long', async () => {
    const robot = messengers.addRobot('feishu', { key: 'feishu-with-a-word', keyword: '设备' })
    expect((await tell(robot, text('座椅离线'))).json).toMatchObject({ code: 19024 })
    expect(await tell(robot, { msg_type: 'post', content: {} })).toMatchObject({
      status: 400,
      json: { code: 9499 },
    })
    expect(await tell(robot, text('设备'.repeat(4000)))).toMatchObject({ status: 400, json: { code: 9499 } })
    expect((await tell(`${robot}x`, text('设备'))).json).toMatchObject({ code: 19001 })
  })
})

it('the mail server stays when a mail breaks off', async () => {
  const { hostname, port, username, password } = new URL(messengers.urls.smtp)
  const login = Buffer.from(`\0${username}\0${password}`).toString('base64')
  const socket = net.connect(Number(port), hostname)
  for (const line of ['EHLO me', `AUTH PLAIN ${login}`, 'MAIL FROM:<chairs@operator.example>']) {
    await once(socket, 'data')
    socket.write(`${line}\r\n`)
  }
  await once(socket, 'data')
  socket.resetAndDestroy()
  const next = net.connect(Number(port), hostname)
  expect(String(await once(next, 'data'))).toMatch(/^220 /)
  next.destroy()
})

it('the page shows what arrived, with nothing in it read as HTML', async () => {
  const robot = messengers.addRobot('feishu', { key: 'feishu-of-the-page' })
  const text = '<script>alert(1)</script> https://chairs.example.com/?a=1&b="2"'
  await tell(robot, { msg_type: 'text', content: { text } })
  const page = await (await fetch(messengers.urls.http)).text()
  expect(page).toContain('feishu-of-the-page')
  expect(page).not.toContain('<script')
  expect(page).toContain('<a href="https://chairs.example.com/?a=1&#38;b=">')
})

it('remembers the last thousand messages', async () => {
  const url = messengers.addRobot('webhook', { key: 'a-busy-one' })
  const body = (title: string) => {
    const data = { title, lines: [], link: { text: 'Look', url: 'https://chairs.example.com' }, events: [] }
    return JSON.stringify({ type: 'notification', timestamp: new Date().toISOString(), data })
  }
  for (let hundred = 0; hundred < 11; hundred++)
    await Promise.all(
      Array.from({ length: 100 }, () => fetch(url, { method: 'POST', body: body(`${hundred}`) })),
    )
  expect(messengers.messages).toHaveLength(1000)
  expect(messengers.messages[0]?.text).toMatch(/^1\n/)
})
