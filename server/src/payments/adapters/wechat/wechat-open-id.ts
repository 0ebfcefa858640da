import { z } from 'zod'
import type { Outcome } from '../payment-adapter.ts'
import type { WechatSettings } from './wechat-settings.ts'

const Token = z.object({ openid: z.string() })
const Refused = z.object({ errcode: z.number(), errmsg: z.string().default('') })

/** Where a page inside WeChat goes to be told who the payer is; WeChat comes back to `returnUrl` with a code. */
export function wechatSignInUrl(settings: WechatSettings, returnUrl: string, state: string): string {
  const query = new URLSearchParams({
    appid: settings.appId,
    redirect_uri: returnUrl,
    response_type: 'code',
    scope: 'snsapi_base',
    state,
  })
  return `${settings.oauthAuthorizeUrl}?${query}#wechat_redirect`
}

/** The payer's openid for a code that WeChat gave; a code works once, for five minutes. */
export async function openIdOfCode(settings: WechatSettings, code: string): Promise<Outcome<string>> {
  const query = new URLSearchParams({
    appid: settings.appId,
    secret: settings.appSecret,
    code,
    grant_type: 'authorization_code',
  })
  try {
    const response = await fetch(`${settings.oauthTokenUrl}?${query}`, {
      signal: AbortSignal.timeout(settings.timeoutMs),
    })
    const json: unknown = await response.json()
    const token = Token.safeParse(json)
    if (token.success) return { outcome: 'accepted', result: token.data.openid }
    const refused = Refused.safeParse(json)
    return refused.success
      ? { outcome: 'refused', code: String(refused.data.errcode), reason: refused.data.errmsg }
      : { outcome: 'unknown', reason: `HTTP ${response.status}` }
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) }
  }
}
