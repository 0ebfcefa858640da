import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { WechatBook } from './book.ts'

const codeMs = 300_000
const payerCookie = 'sandbox_wechat_payer'

/** Tells pages who the payer is (reference 1.7): a code for the page, an openid for the code, once, within five minutes. */
export function mountSignIn(app: FastifyInstance, book: WechatBook): void {
  const codes = new Map<string, { appId: string; openId: string; until: number; used: boolean }>()

  app.get('/connect/oauth2/authorize', (request, reply) => {
    const { appid, redirect_uri, response_type, scope, state } = request.query as Record<string, string>
    const isKnown = book.merchants.some(({ appId }) => appId === appid)
    if (!appid || !isKnown || response_type !== 'code' || !scope)
      return reply.status(400).send({ errcode: 40013, errmsg: 'invalid appid' })
    if (!redirect_uri || !/^https?:\/\//.test(redirect_uri) || !URL.canParse(redirect_uri))
      return reply.status(400).send({ errcode: 10003, errmsg: 'redirect_uri is not registered' })
    const [, kept] = new RegExp(`${payerCookie}=([0-9a-f]{32})`).exec(request.headers.cookie ?? '') ?? []
    const payer = kept ?? randomBytes(16).toString('hex')
    // The same phone is the same person to an app, and another one to another app.
    const openId = `o${createHash('sha256').update(`${appid} ${payer}`).digest('base64url').slice(0, 27)}`
    const code = randomBytes(16).toString('hex')
    codes.set(code, { appId: appid, openId, until: Date.now() + codeMs, used: false })
    const back = new URL(redirect_uri)
    back.searchParams.set('code', code)
    if (state !== undefined) back.searchParams.set('state', state)
    return reply
      .header('set-cookie', `${payerCookie}=${payer}; Path=/; HttpOnly; SameSite=Lax`)
      .redirect(back.href)
  })

  app.get('/sns/oauth2/access_token', (request) => {
    const { code = '', secret, appid, grant_type } = request.query as Record<string, string>
    const merchant = book.merchants.find(({ appId }) => appId === appid)
    if (!merchant) return { errcode: 40013, errmsg: 'invalid appid' }
    if (secret !== merchant.appSecret) return { errcode: 40125, errmsg: 'invalid appsecret' }
    if (grant_type !== 'authorization_code') return { errcode: 40002, errmsg: 'invalid grant_type' }
    const known = codes.get(code)
    if (!known || known.appId !== appid || known.until < Date.now())
      return { errcode: 40029, errmsg: 'invalid code' }
    if (known.used) return { errcode: 40163, errmsg: 'code been used' }
    known.used = true
    return {
      access_token: randomBytes(20).toString('hex'),
      expires_in: 7200,
      refresh_token: randomBytes(20).toString('hex'),
      openid: known.openId,
      scope: 'snsapi_base',
    }
  })
}
