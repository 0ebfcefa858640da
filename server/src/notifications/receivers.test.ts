import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestNotifications, type TestNotifications } from '../testing/test-notifications.ts'

let bed: TestNotifications
beforeAll(async () => {
  bed = await startTestNotifications()
})
beforeEach(() => bed.clear())
afterAll(() => bed.stop())

const path = '/api/notifications/receivers'
const mailbox = { name: 'hall', kind: 'email', address: 'at:hall', language: 'en', events: 'alertRaised' }

describe('receivers', () => {
  it('are those of one’s own organisation, without what is secret of them', async () => {
    await bed.addReceiver('spa', 'hall', { kind: 'dingTalk', secret: 'SEC1', address: 'at:token-of-a-robot' })
    expect(await bed.receiversOf('spa')).toMatchObject([
      { name: 'hall', kind: 'dingTalk', address: 'at:t…', hasSecret: true, active: true },
    ])
    expect(await bed.receiversOf('gym')).toEqual([])
    const { rows } = await bed.pool.query<{ text: string }>(
      `select r::text as text from notification_receivers r union all select details::text from audit_trail`,
    )
    for (const { text } of rows) expect(text).not.toMatch(/token-of-a-robot|SEC1/)
  })

  it('are for owners and admins alone', async () => {
    expect((await bed.as('clerk', 'GET', path)).resultCode).toBe('103')
    expect((await bed.as('clerk', 'POST', path, mailbox)).resultCode).toBe('103')
  })

  it('are nobody else’s to change, to delete or to try', async () => {
    const id = await bed.addReceiver('spa', 'hall')
    const edit = { name: 'mine', language: 'en', events: 'alertRaised', active: true }
    for (const who of ['gym', 'north', 'root']) {
      expect((await bed.as(who, 'PUT', `${path}/${id}`, edit)).resultCode).toBe('104')
      expect((await bed.as(who, 'DELETE', `${path}/${id}`)).resultCode).toBe('104')
      expect((await bed.as(who, 'PUT', `${path}/${id}/test`)).resultCode).toBe('104')
    }
    expect(bed.sent).toEqual([])
    expect(await bed.receiversOf('spa')).toMatchObject([{ name: 'hall' }])
  })

  it.each([
    ['a name', { name: ' ' }, 'name', 'Required'],
    ['a longer name', { name: 'x'.repeat(51) }, 'name', 'At most 50 characters'],
    ['a name again', { name: 'TAKEN' }, 'name', 'There is already a receiver with this name'],
    ['a kind', { kind: 'sms' }, 'kind', 'Must be one of: weCom, dingTalk, feishu, email, webhook'],
    ['an address of its kind', { address: 'elsewhere' }, 'address', 'Not an e-mail address'],
    ['a shorter address', { address: `at:${'x'.repeat(500)}` }, 'address', 'At most 500 characters'],
    ['no secret', { secret: 'SEC' }, 'secret', 'Only the robots of DingTalk and Feishu have a secret'],
    ['an event', { events: '' }, 'events', 'Required'],
    ['an event that there is', { events: 'payday' }, 'events', /Must be one of/],
    ['a language', { language: 'fr' }, 'language', 'Must be one of: en, zh-CN'],
  ])('need %s', async (_what, wrong, field, message) => {
    await bed.addReceiver('spa', 'taken')
    const answer = await bed.as<{ fields: Record<string, string> }>('spa', 'POST', path, {
      ...mailbox,
      ...wrong,
    })
    expect(answer).toMatchObject({ success: false, resultCode: '100' })
    expect(answer.data.fields[field]).toMatch(message)
    expect(await bed.receiversOf('spa')).toHaveLength(1)
  })

  it('are twenty at most, also when many are added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        bed.as('spa', 'POST', path, { ...mailbox, name: `n${index}` }),
      ),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(20)
    expect(await bed.receiversOf('spa')).toHaveLength(20)
  })

  it('keep address and secret unless new ones are given', async () => {
    const id = await bed.addReceiver('spa', 'hall', { kind: 'feishu', secret: 'first', address: 'at:first' })
    const edit = { name: 'lobby', language: 'zh-CN', events: 'refundFailed', active: true }
    expect((await bed.as('spa', 'PUT', `${path}/${id}`, edit)).success).toBe(true)
    await bed.as('spa', 'PUT', `${path}/${id}/test`)
    expect(bed.sent.at(-1)?.to).toEqual({ address: 'at:first', secret: 'first' })
    await bed.as('spa', 'PUT', `${path}/${id}`, { ...edit, address: 'at:second', secret: 'second' })
    await bed.as('spa', 'PUT', `${path}/${id}/test`)
    expect(bed.sent.at(-1)?.to).toEqual({ address: 'at:second', secret: 'second' })
    const { rows } = await bed.pool.query<{ after: unknown }>(
      `select details -> 'after' as after from audit_trail where action = 'notification.edit' order by id desc limit 1`,
    )
    expect(rows[0]?.after).toMatchObject({ addressChanged: true, secretChanged: true })
  })

  it('that are webhooks show once what their messages are signed with', async () => {
    const { data } = await bed.as<{ secret: string }>('spa', 'POST', path, { ...mailbox, kind: 'webhook' })
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(JSON.stringify(await bed.receiversOf('spa'))).not.toContain(data.secret)
  })

  it('that are deleted take what was on its way with them', async () => {
    const id = await bed.addReceiver('spa', 'hall')
    await bed.announce({
      cause: 'gone',
      merchantId: bed.ids['spa'] ?? 0,
      event: { type: 'refundFailed', told: { orderId: 'KT', amountCents: 1 } },
    })
    expect((await bed.as('spa', 'DELETE', `${path}/${id}`)).success).toBe(true)
    await bed.work()
    expect(bed.sent).toEqual([])
  })
})

describe('a test message', () => {
  it('is sent at once, and says what the other side said', async () => {
    const id = await bed.addReceiver('spa', 'hall')
    expect((await bed.as('spa', 'PUT', `${path}/${id}/test`)).data).toEqual({ sent: true, answer: '' })
    expect(bed.sent[0]?.message).toMatchObject({
      title: 'Test message',
      link: { url: 'https://chairs.example/notifications' },
    })
    bed.answer({ outcome: 'refused', answer: '310000 sign not match', isPassing: false })
    expect((await bed.as('spa', 'PUT', `${path}/${id}/test`)).data).toEqual({
      sent: false,
      answer: '310000 sign not match',
    })
    expect(await bed.receiversOf('spa')).toMatchObject([{ failure: '310000 sign not match' }])
  })
})
