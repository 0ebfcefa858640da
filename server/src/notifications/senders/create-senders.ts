import type { Config } from '../../config.ts'
import { createDingTalkSender } from './ding-talk.ts'
import { createEmailSender } from './email.ts'
import { createFeishuSender } from './feishu.ts'
import type { Senders } from './sender.ts'
import { createWeComSender } from './we-com.ts'
import { createWebhookSender } from './webhook.ts'

/** A sender for each kind of receiver. */
export function createSenders(
  config: Pick<Config, 'mail' | 'robotUrls' | 'webhooksToPrivateAddresses'>,
): Senders {
  const { mail, robotUrls } = config
  return {
    weCom: createWeComSender(robotUrls.weCom),
    dingTalk: createDingTalkSender(robotUrls.dingTalk),
    feishu: createFeishuSender(robotUrls.feishu),
    email: mail && createEmailSender(mail),
    webhook: createWebhookSender({ mayBePrivate: config.webhooksToPrivateAddresses }),
  }
}
