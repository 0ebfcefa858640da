import type { FastifyInstance } from 'fastify'
import type { Database } from '../kit/database.ts'
import { browserMark, customerCookie, customerCookieSeconds } from '../members/customer-cookie.ts'
import { customerOf, storeOpenId } from '../members/customers.ts'
import { openIdOfCode, wechatSignInUrl } from '../payments/adapters/wechat/wechat-open-id.ts'
import { channelForMerchant, type PayChannels } from '../payments/pay-channels.ts'

const returnPath = '/pay/wechat'
/** As many as orders are placed from one address: customers of a whole mall may stand behind it. */
const returnsPerMinute = 240

/** Where a page inside WeChat goes to learn who the payer is to the channel that will take the money. */
export function wechatSignInUrlFor(channels: PayChannels, publicUrl: string) {
  return async (db: Database, merchantId: number, deviceId: string, customerKey: string): Promise<string> => {
    const routed = await channelForMerchant(db, merchantId)
    const channel = routed && (await channels.open(db, routed.id))
    return channel
      ? wechatSignInUrl(
          channel.settings,
          `${publicUrl}${returnPath}`,
          [channel.id, deviceId, browserMark(customerKey)].join('.'),
        )
      : ''
  }
}

/**
 * Takes the customer back from WeChat to the chair's page, with the payer known from then on. Only the browser that went
 * there is believed: a link that somebody else made would sign this one in as them.
 */
export function mountWechatReturn(app: FastifyInstance, db: Database, channels: PayChannels): void {
  // Each asks WeChat, in our name.
  const config = { isLimited: true, rateLimit: { max: returnsPerMinute, timeWindow: 60_000 } }
  app.get<{ Querystring: { code?: string; state?: string } }>(
    returnPath,
    { config },
    async (request, reply) => {
      const [, channelId, deviceId, mark] =
        /^(\d{1,15})\.([A-Z0-9]{1,20})\.([\w-]{22})$/.exec(request.query.state ?? '') ?? []
      if (!channelId || !deviceId) return reply.status(404).send()
      const key = request.cookies[customerCookie] ?? ''
      if (key === '' || browserMark(key) !== mark) return reply.redirect(`/d/${deviceId}`)
      const channel = await channels.open(db, Number(channelId))
      const openId =
        channel && request.query.code ? await openIdOfCode(channel.settings, request.query.code) : undefined
      if (channel && openId?.outcome === 'accepted') {
        const customer = await customerOf(db, key)
        await storeOpenId(db, customer.id, channel.settings.appId, openId.result)
        reply.setCookie(customerCookie, key, {
          path: '/',
          maxAge: customerCookieSeconds,
          httpOnly: true,
          sameSite: 'lax',
          secure: request.protocol === 'https',
        })
      } else request.log.warn({ outcome: openId?.outcome }, 'WeChat did not tell who the payer is')
      return reply.redirect(`/d/${deviceId}`)
    },
  )
}
