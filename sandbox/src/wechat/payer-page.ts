import type { WechatOrder } from './book.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const shell = (body: string) => `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>模拟微信支付 · WeChat Pay sandbox</title>
<style>body{margin:0;font-family:system-ui,'PingFang SC','Noto Sans SC',sans-serif;background:#ededed;color:#111;line-height:1.5}
main{max-width:24rem;margin:0 auto;padding:2rem 1rem;text-align:center}h1{font-size:1rem;font-weight:500}
.amount{font-size:2.75rem;font-weight:600;margin:.5rem 0 1.5rem}dl{background:#fff;border-radius:.75rem;padding:1rem;text-align:left;margin:0 0 1.5rem}
dt{color:#595959;font-size:.875rem}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
button{font:inherit;font-size:1.125rem;width:100%;min-height:3rem;border-radius:.5rem;border:0;margin-bottom:.75rem;cursor:pointer}
button:focus-visible{outline:3px solid #111;outline-offset:2px}
.pay{background:#07753f;color:#fff}.cancel{background:#fff;color:#111}</style></head><body><main>${body}</main></body></html>`

const heading = '<h1>模拟微信支付 · <span lang="en">WeChat Pay sandbox</span></h1>'

/** What a payer sees in the played WeChat: to whom, how much, what for, and two buttons. */
export function payerPage(order: WechatOrder, merchantName: string): string {
  const rows = [
    ['收款方', 'Payee', merchantName],
    ['商品', 'Item', order.description],
    ['单号', 'Number', order.outTradeNo],
  ]
  const list = rows
    .map(
      ([zh = '', en = '', value = '']) =>
        `<dt>${zh} · <span lang="en">${en}</span></dt><dd>${escape(value)}</dd>`,
    )
    .join('')
  return shell(`${heading}
<p class="amount">¥${(order.amountCents / 100).toFixed(2)}</p><dl>${list}</dl>
<form method="post"><button class="pay" name="decision" value="pay">立即支付 · <span lang="en">Pay</span></button>
<button class="cancel" name="decision" value="cancel">取消 · <span lang="en">Cancel</span></button></form>`)
}

/** What a payer sees when nothing is to be decided any more. */
export function payerResult(text: { zh: string; en: string }): string {
  return shell(
    `${heading}<p class="amount" role="status">${escape(text.zh)}</p><p lang="en">${escape(text.en)}</p>`,
  )
}
