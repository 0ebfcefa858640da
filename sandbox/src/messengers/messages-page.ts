import type { ReceivedMessage } from './book.ts'

const mostShown = 50

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Escaped text with its addresses to be followed. */
const linked = (text: string) =>
  escape(text).replace(/https?:\/\/[^\s)&]+(?:&#38;[^\s)&]+)*/g, (url) => `<a href="${url}">${url}</a>`)

const names: Record<ReceivedMessage['messenger'], string> = {
  weCom: '企业微信 WeCom',
  dingTalk: '钉钉 DingTalk',
  feishu: '飞书 Feishu',
  webhook: 'Webhook',
  email: '邮件 Mail',
}

const article = ({ messenger, robot, at, text }: ReceivedMessage) =>
  `<article><h2>${names[messenger]} <small>${escape(robot)} · ${at.toISOString()}</small></h2><p>${linked(text.trim())}</p></article>`

/** What the messengers were sent lately, the newest first. */
export function messagesPage(messages: readonly ReceivedMessage[]): string {
  const articles = messages.slice(-mostShown).toReversed().map(article)
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>模拟消息 · Messengers sandbox</title>
<style>body{margin:0;font-family:system-ui,'PingFang SC','Noto Sans SC',sans-serif;background:#ededed;color:#111;line-height:1.5}
main{max-width:40rem;margin:0 auto;padding:1rem}h1{font-size:1rem;font-weight:500}
article{background:#fff;border-radius:.75rem;padding:1rem;margin-bottom:.75rem;overflow-wrap:anywhere}
h2{font-size:.9375rem;margin:0}small{color:#595959;font-weight:400}p{white-space:pre-line;margin:.5rem 0 0}</style></head>
<body><main><h1>模拟消息 · <span lang="en">Messengers sandbox</span></h1>
${articles.join('\n') || '<p>还没有消息 · <span lang="en">No messages yet</span></p>'}</main></body></html>`
}
