import type { BannerRow } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { addAccount } from '../testing/test-server.ts'
import { sendBanner } from '../testing/uploads.ts'

let network: TestNetwork
/** Pictures that the merchant, the agent and the admin sent in. */
let ofMerchant: string
let ofAgent: string
let ofAdmin: string
let ours: number
let theirs: number

type Role = keyof TestNetwork['tokens']

beforeAll(async () => {
  network = await startTestNetwork()
  ours = network.ours.merchantId
  theirs = network.theirs.merchantId
  ofMerchant = await sendBanner(network, network.tokens.merchant)
  ofAgent = await sendBanner(network, network.tokens.agent)
  ofAdmin = await sendBanner(network, network.tokens.admin)
})
afterAll(() => network.stop())
beforeEach(async () => {
  await network.pool.query('delete from banners')
})

async function ask(role: Role, verb: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const answer = await network.call<BannerRow & { fields: Record<string, string> }>(verb, path, {
    token: network.tokens[role],
    ...(body ? { body } : {}),
  })
  return answer.body
}
const save = (role: Role, body: object) => ask(role, 'POST', '/api/goods/banner', body)
const change = (role: Role, body: object) => ask(role, 'PUT', '/api/goods/banner', body)
const setTimes = (role: Role, body: object) => ask(role, 'PUT', '/api/goods/timebanner', body)
const upload = (role: Role, body: object) => ask(role, 'POST', '/api/goods/banner/upload', body)
const review = (role: Role, query: string) => ask(role, 'PUT', `/api/goods/banner/review?${query}`)
const prompt = (role: Role, text: string, more = '') =>
  ask(role, 'PUT', `/api/goods/banner/prompt?newsleepprompt=${encodeURIComponent(text)}${more}`)
const list = async (role: Role, query = '') =>
  (
    await network.call<{ list: BannerRow[]; total: number }>('GET', `/api/goods/banners${query}`, {
      token: network.tokens[role],
    })
  ).body.data
const banner = async (): Promise<BannerRow> => {
  const [row] = (await list('admin', `?merchantid=${ours}`)).list
  if (!row) throw new Error('there is no banner')
  return row
}
/** A refusal at a field, with its message in English. */
const at = (field: string, message: unknown = expect.any(String)) => ({
  resultCode: '100',
  data: { fields: { [field]: message } },
})

describe('a banner', () => {
  it('is added once to a merchant, also by two at once, and saved by its id from then on', async () => {
    const added = {
      merchantid: ours,
      bannerenable: true,
      bannerkey: ofAgent,
      successText: '谢谢',
      frontLang: 1,
    }
    const twice = await Promise.all([save('agent', added), save('agent', added)])
    expect(twice.map(({ resultCode }) => resultCode).toSorted()).toEqual(['000', '106'])
    expect(await save('admin', { id: ours, css: 'border-radius: 12px', allowManage: 1 })).toMatchObject({
      data: {
        id: ours,
        merchantId: ours,
        merchantName: 'our-merchant',
        merchantUserId: 'our-merchant',
        bannerenable: true,
        bannerkey: ofAgent,
        successText: '谢谢',
        frontLang: 1,
        css: 'border-radius: 12px',
        allowManage: true,
      },
    })
  })

  it('is nobody’s who is none of the caller’s merchants, and agents have none', async () => {
    for (const body of [
      { merchantid: theirs },
      { merchantid: network.ours.agentId },
      { merchantid: 1 },
      { id: theirs },
    ])
      expect((await save('agent', body)).resultCode).toBe('104')
    expect((await save('agent', { id: ours, merchantid: theirs })).resultCode).toBe('104')
    expect(await save('agent', {})).toMatchObject(at('merchantid', 'Choose a merchant'))
    expect((await list('admin')).total).toBe(0)
  })

  it('needs a picture to be shown, and one that there is', async () => {
    expect(await save('admin', { merchantid: ours, bannerenable: true })).toMatchObject(
      at('bannerkey', 'The banner picture is empty'),
    )
    for (const key of ['nothing.jpg', ofMerchant.replace('banner_', 'banner_9')])
      expect(await save('admin', { merchantid: ours, bannerkey: key })).toMatchObject(
        at('bannerkey', 'There is no such picture'),
      )
    expect((await list('admin')).total).toBe(0)
    expect(
      (await save('admin', { merchantid: ours, bannerenable: true, bannerkey: ofMerchant })).success,
    ).toBe(true)
    expect(await save('admin', { id: ours, bannerkey: '' })).toMatchObject(at('bannerkey'))
    expect((await save('admin', { id: ours, bannerkey: '', bannerenable: false })).success).toBe(true)
  })

  it('takes no picture of somebody else’s organisation', async () => {
    await save('admin', { merchantid: ours, allowManage: true })
    const answer = await change('merchant', { bannerkey: ofAgent })
    expect(answer).toMatchObject(at('bannerkey', 'There is no such picture'))
    expect((await change('merchant', { bannerkey: ofMerchant })).success).toBe(true)
    await change('agent', { id: ours, bannerkey: ofAgent })
    // What it shows already may stay, whoever sent it in.
    expect((await save('merchant', { id: ours, bannerkey: ofAgent, successText: 'bye' })).success).toBe(true)
  })

  it.each([
    ['https://example.com/a?b=1', true],
    ['http://例子.测试/', true],
    ['', true],
    ['javascript:alert(1)', false],
    ['JavaScript://x%0aalert(1)', false],
    ['data:text/html,x', false],
    ['//example.com', false],
    ['example.com', false],
    ['https://user:secret@example.com', false],
    ['https://exa mple.com', false],
    ['https:example.com', false],
    [`https://example.com/${'x'.repeat(300)}`, false],
  ])('leads to %s: %s', async (address, isTaken) => {
    for (const field of ['url', 'successUrl', 'timeurl']) {
      const { success, data } = await save('admin', { id: ours, [field]: address })
      expect(success, field).toBe(isTaken)
      if (!success) expect(data.fields, field).toHaveProperty(field)
    }
  })

  it.each([
    ['border-radius: 16px; opacity: .9', false],
    ['border-radius: 16px; opacity: 0.9; box-shadow: 0 2px 8px rgba(0, 0, 0, 0.3);', true],
    ['OBJECT-FIT: Contain', true],
    ['position: fixed; inset: 0', false],
    ['background-color: url(https://evil.example/x)', false],
    ['background: url(//evil)', false],
    ['margin: -500px', false],
    ['margin: 500px', false],
    ['opacity: 0', false],
    ['padding: calc(100px * 9)', false],
    ['background-color: expression(alert(1))', false],
    ['background-color: red} * {display: none', false],
    ['background-color: \\72 ed', false],
    ['content: "x"', false],
    ['constructor: 1px', false],
    ['--x: 1', false],
    ['border: 1px solid red; /* */', false],
  ])('may look like %s: %s', async (css, isTaken) => {
    const { success, data } = await save('admin', { id: ours, css })
    expect(success).toBe(isTaken)
    if (!success) expect(data.fields['css']).toMatch(/^Only the style of the picture/)
  })

  it('has a sleep prompt of at most 20 characters and one of three languages', async () => {
    const twenty = '二十个字的睡眠提示二十个字的睡眠提示二十'
    expect((await save('admin', { id: ours, sleepPrompt: twenty, frontLang: '3' })).success).toBe(true)
    expect(await save('admin', { id: ours, sleepPrompt: `${twenty}一` })).toMatchObject(at('sleepPrompt'))
    for (const frontLang of [0, 4, 'zh'])
      expect(await save('admin', { id: ours, frontLang })).toMatchObject(at('frontLang'))
  })
})

describe('a time-limited picture', () => {
  const limited = { id: 0, datelimit: true, startdate: '2026-10-01', enddate: '2026-10-07' }

  it.each([
    [{ timebannerkey: '' }, 'timebannerkey', 'The time-limited picture is empty'],
    [{ startdate: '' }, 'startdate', 'The dates of the time limit are empty'],
    [{ enddate: '' }, 'enddate', 'The dates of the time limit are empty'],
    [{ startdate: '2026-10-08' }, 'startdate', /invalid/],
    [{ enddate: '2026-02-30' }, 'enddate', 'Not a date (YYYY-MM-DD)'],
    [{ timebannerkey: 'banner_1763000000000.png' }, 'timebannerkey', 'There is no such picture'],
  ] as const)('with %o is refused at %s', async (wrong, field, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(await setTimes('admin', { ...limited, id: ours, timebannerkey: ofAdmin, ...wrong })).toMatchObject(
      at(field, expected),
    )
    expect((await list('admin')).total).toBe(0)
  })

  it('is told all that is wrong with it at once, whichever call saves it', async () => {
    const nothing = { id: ours, datelimit: true, timebannerkey: '', startdate: '', enddate: '' }
    const empty = 'The dates of the time limit are empty'
    const fields = {
      timebannerkey: 'The time-limited picture is empty',
      startdate: empty,
      enddate: empty,
    }
    expect((await setTimes('admin', nothing)).data).toEqual({ fields })
    expect((await save('admin', { ...nothing, bannerenable: true })).data).toEqual({
      fields: { ...fields, bannerkey: 'The banner picture is empty' },
    })
    const reversed = { startdate: '2026-10-08', timebannerkey: 'banner_1763000000000.png' }
    expect((await setTimes('admin', { ...limited, id: ours, ...reversed })).data).toEqual({
      fields: { startdate: expect.stringMatching(/invalid/), timebannerkey: 'There is no such picture' },
    })
  })

  it('may last one day, and is kept when it is turned off', async () => {
    const oneDay = {
      ...limited,
      id: ours,
      timebannerkey: ofAdmin,
      enddate: '2026-10-01',
      timeurl: 'https://a.example/',
    }
    expect((await setTimes('admin', oneDay)).data).toMatchObject({
      datelimit: true,
      timeUrl: 'https://a.example/',
    })
    expect((await setTimes('admin', { id: ours, datelimit: false, startdate: '' })).data).toMatchObject({
      datelimit: false,
      timeBannerkey: ofAdmin,
      startdate: '',
      enddate: '2026-10-01',
    })
    // The dates that were taken away are missed when it is turned on again.
    expect(await setTimes('admin', { id: ours, datelimit: true })).toMatchObject(at('startdate'))
    expect(await save('admin', { id: ours, datelimit: true })).toMatchObject(at('startdate'))
  })
})

describe('a merchant', () => {
  it('sees its banner before there is one, and nothing of others; so does whoever works for it', async () => {
    await save('admin', { merchantid: theirs, successText: 'secret' })
    await save('admin', { merchantid: 1, successText: 'default' })
    for (const role of ['merchant', 'subMerchant'] as const) {
      const { list: rows, total } = await list(role)
      expect([rows.map(({ merchantId }) => merchantId), total]).toEqual([[ours], 1])
      expect((await list(role, `?merchantid=${theirs}`)).list).toEqual([])
    }
    expect((await list('agent')).total).toBe(0)
    expect((await list('admin')).list.map(({ merchantId }) => merchantId)).toEqual([1, theirs])
  })

  it('changes its banner only where that is open to it, and never says so itself', async () => {
    const attempts = [
      () => save('merchant', { id: ours, successText: 'x' }),
      () => change('merchant', { bannerkey: ofMerchant }),
      () => setTimes('merchant', { datelimit: false }),
    ]
    for (const attempt of attempts) expect((await attempt()).resultCode).toBe('105')
    expect((await list('admin')).total).toBe(0)
    await save('agent', { merchantid: ours, allowManage: true })
    for (const attempt of attempts) expect((await attempt()).resultCode).toBe('000')
    expect((await save('merchant', { id: ours, allowManage: false })).data.allowManage).toBe(true)
    expect(await save('merchant', { id: ours, sleepPrompt: 'mine' })).toMatchObject(at('sleepPrompt'))
  })

  it('proposes a picture that is shown only after somebody above has accepted it', async () => {
    const proposed = { bannerkey: ofMerchant, url: 'https://shop.example/' }
    expect((await upload('merchant', proposed)).data).toMatchObject({
      bannerenable: false,
      bannerkey: '',
      newBannerkey: ofMerchant,
      newUrl: 'https://shop.example/',
      pending: true,
    })
    expect((await list('agent', '?pending=1')).total).toBe(1)
    expect((await list('agent', '?pending=0')).total).toBe(0)
    for (const role of ['merchant', 'subMerchant'] as const)
      expect((await review(role, `merchantid=${ours}&option=1`)).resultCode).toBe('103')
    expect((await review('agent', `merchantid=${ours}&option=1`)).data).toMatchObject({
      bannerenable: true,
      bannerkey: ofMerchant,
      url: 'https://shop.example/',
      newBannerkey: '',
      newUrl: '',
      pending: false,
    })
    expect((await review('agent', `merchantid=${ours}&option=1`)).resultCode).toBe('105')
  })

  it('keeps what it had when it is rejected', async () => {
    await save('admin', { merchantid: ours, bannerenable: true, bannerkey: ofAdmin, sleepPrompt: 'old' })
    await upload('merchant', { bannerkey: ofMerchant })
    await prompt('merchant', 'new')
    expect((await review('admin', `merchantid=${ours}&option=0`)).data).toMatchObject({
      bannerkey: ofAdmin,
      sleepPrompt: 'old',
      pending: false,
    })
  })

  it('cannot lead elsewhere than the address that was reviewed, under the same picture', async () => {
    await upload('merchant', { bannerkey: ofMerchant, url: 'https://good.example/' })
    const seen = `merchantid=${ours}&option=1&newbannerkey=${ofMerchant}&newurl=${encodeURIComponent('https://good.example/')}`
    await upload('merchant', { bannerkey: ofMerchant, url: 'https://evil.example/' })
    expect((await review('agent', seen)).resultCode).toBe('105')
    expect(await banner()).toMatchObject({ url: '', newUrl: 'https://evil.example/', pending: true })
    await upload('merchant', { bannerkey: ofMerchant, url: 'https://good.example/' })
    expect((await review('agent', seen)).data).toMatchObject({ url: 'https://good.example/', pending: false })
  })

  it('cannot slip another picture under the hand of who reviews', async () => {
    await upload('merchant', { bannerkey: ofMerchant })
    const seen = `merchantid=${ours}&option=1&newbannerkey=${ofMerchant}`
    const other = await sendBanner(network, network.tokens.merchant)
    await upload('merchant', { bannerkey: other })
    expect((await review('agent', seen)).resultCode).toBe('105')
    await upload('merchant', { bannerkey: ofMerchant })
    await prompt('merchant', 'later')
    expect((await review('agent', `${seen}&newsleepprompt=`)).resultCode).toBe('105')
    expect((await banner()).pending).toBe(true)
    const both = await Promise.all(
      ['1', '0', '1', '0'].map((option) => review('agent', `merchantid=${ours}&option=${option}`)),
    )
    expect(both.filter(({ success }) => success)).toHaveLength(1)
  })

  it('proposes a sleep prompt of 1 to 20 characters, and takes one away without asking', async () => {
    expect(await prompt('merchant', '')).toMatchObject(at('newsleepprompt', 'The sleep prompt is empty'))
    expect(await prompt('merchant', '  ')).toMatchObject(at('newsleepprompt'))
    expect(await prompt('merchant', 'x'.repeat(21))).toMatchObject(at('newsleepprompt'))
    expect((await prompt('subMerchant', 'x'.repeat(20))).data).toMatchObject({
      sleepPrompt: '',
      newSleepPrompt: 'x'.repeat(20),
    })
    await review('agent', `merchantid=${ours}&option=1`)
    expect((await banner()).sleepPrompt).toBe('x'.repeat(20))
    await prompt('merchant', 'waits')
    expect((await ask('merchant', 'DELETE', '/api/goods/banner/prompt')).data).toMatchObject({
      sleepPrompt: '',
      newSleepPrompt: '',
      pending: false,
    })
    expect((await ask('merchant', 'DELETE', '/api/goods/banner/prompt')).resultCode).toBe('105')
  })

  it('needs a key for each of it', async () => {
    for (const send of [change, upload] as const) {
      await save('admin', { id: ours, allowManage: true })
      for (const body of [{}, { bannerkey: '' }])
        expect(await send('merchant', body)).toMatchObject(at('bannerkey', 'The banner picture is empty'))
    }
  })
})

describe('who may review', () => {
  it('needs no review for what they propose themselves; who may not, does', async () => {
    expect((await upload('agent', { merchantid: ours, bannerkey: ofAgent })).data).toMatchObject({
      bannerenable: true,
      bannerkey: ofAgent,
      pending: false,
    })
    expect((await prompt('agent', 'hush', `&merchantid=${ours}`)).data.sleepPrompt).toBe('hush')
    expect(await prompt('agent', 'hush')).toMatchObject(at('merchantid', 'Choose a merchant'))
    const uploadOnly = [43, 435]
    await addAccount(network, {
      organisationId: 1,
      userName: 'drawer',
      isOwner: false,
      tree: 'admin',
      permissionIds: uploadOnly,
    })
    const token = await network.signIn('drawer')
    const key = await sendBanner(network, token)
    const { body } = await network.call<BannerRow>('POST', '/api/goods/banner/upload', {
      token,
      body: { merchantid: 1, bannerkey: key },
    })
    expect(body.data).toMatchObject({ merchantId: 1, bannerkey: '', newBannerkey: key })
    expect((await review('agent', 'merchantid=1&option=1')).resultCode).toBe('104')
    expect((await review('admin', 'merchantid=1&option=1')).data.bannerkey).toBe(key)
  })

  it('leaves a trace with what was there before', async () => {
    await upload('merchant', { bannerkey: ofMerchant })
    await review('agent', `merchantid=${ours}&option=1`)
    const { rows } = await network.pool.query<{ details: { before: BannerRow; after: BannerRow } }>(
      `select details from audit_trail where action = 'banner.review' and outcome = '000' order by at desc limit 1`,
    )
    expect(rows[0]?.details.before.newBannerkey).toBe(ofMerchant)
    expect(rows[0]?.details.after.bannerkey).toBe(ofMerchant)
  })
})
