import type { FastifyInstance } from 'fastify'
import type { Database } from '../kit/database.ts'
import { customerOf, newCustomerKey, storeOpenId } from '../members/customers.ts'
import { openIdOfCode, wechatSignInUrl } from '../payments/adapters/wechat/wechat-open-id.ts'
import { channelForMerchant, type PayChannels } from '../payments/pay-channels.ts'

const returnPath = '/pay/wechat'
const customerCookie = 'chairside_customer'
const cookieSeconds = 400 * 86_400

/** Where a page inside WeChat goes to learn who the payer is to the channel that will take the money. */
export function wechatSignInUrlFor(channels: PayChannels, publicUrl: string) {
  return async (db: Database, merchantId: number, deviceId: string): Promise<string> => {
    const routed = await channelForMerchant(db, merchantId)
    const channel = routed && (await channels.open(db, routed.id))
    return channel
      ? wechatSignInUrl(channel.settings, `${publicUrl}${returnPath}`, `${channel.id}.${deviceId}`)
      : ''
  }
}

/** Takes the customer back from WeChat to the chair's page, with the payer known from then on. */
export function mountWechatReturn(app: FastifyInstance, db: Database, channels: PayChannels): void {
  app.get<{ Querystring: { code?: string; state?: string } }>(returnPath, async (request, reply) => {
    const [, channelId, deviceId] = /^(\d{1,15})\.([A-Z0-9]{1,20})$/.exec(request.query.state ?? '') ?? []
    if (!channelId || !deviceId) return reply.status(404).send()
    const channel = await channels.open(db, Number(channelId))
    const openId =
      channel && request.query.code ? await openIdOfCode(channel.settings, request.query.code) : undefined
    if (channel && openId?.outcome === 'accepted') {
      const key = request.cookies[customerCookie] ?? newCustomerKey()
      const customer = await customerOf(db, key)
      await storeOpenId(db, customer.id, channel.settings.appId, openId.result)
      reply.setCookie(customerCookie, key, {
        path: '/',
        maxAge: cookieSeconds,
        httpOnly: true,
        sameSite: 'lax',
        secure: request.protocol === 'https',
      })
    } else request.log.warn({ outcome: openId?.outcome }, 'WeChat did not tell who the payer is')
    return reply.redirect(`/d/${deviceId}`)
  })
}
