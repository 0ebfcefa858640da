import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import type { WechatMerchant } from '@chairside/sandbox/wechat/merchant'
import { sealResource, signedHeaders } from '@chairside/sandbox/wechat/signatures'
import type { UnpaidOrder } from './unpaid-orders.ts'

/** A notice of WeChat that an order was paid: a whole HTTP request, sealed and signed. */
export function noticeOf(
  { outTradeNo, amountCents }: UnpaidOrder,
  merchant: WechatMerchant,
  path: string,
): Buffer {
  const successTime = new Date().toISOString()
  const transaction = {
    appid: merchant.appId,
    mchid: merchant.mchId,
    out_trade_no: outTradeNo,
    trade_state: 'SUCCESS',
    trade_state_desc: 'SUCCESS',
    transaction_id: `42${outTradeNo.replaceAll(/\D/g, '')}${randomUUID().slice(0, 4)}`,
    trade_type: 'NATIVE',
    bank_type: 'OTHERS',
    success_time: successTime,
    payer: { openid: `o${outTradeNo}` },
    amount: { total: amountCents, payer_total: amountCents, currency: 'CNY', payer_currency: 'CNY' },
  }
  const body = JSON.stringify({
    id: randomUUID(),
    create_time: successTime,
    resource_type: 'encrypt-resource',
    event_type: 'TRANSACTION.SUCCESS',
    summary: 'TRANSACTION.SUCCESS',
    resource: sealResource(transaction, merchant.apiV3Key, 'transaction'),
  })
  const headers = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...signedHeaders(body, merchant, Date.now()),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * Tells notices over some kept connections, one at a time on each, with as little work as possible: what it takes is
 * taken from the server that is measured.
 * @returns a second, from the first that was sent to the last that was answered
 * @throws when one of them is not taken
 */
export async function tellNotices(
  url: string,
  notices: readonly Buffer[],
  connections: number,
): Promise<number> {
  const { hostname, port } = new URL(url)
  const waiting = notices.values()
  const start = performance.now()
  const tell = async () => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    for (const notice of waiting) {
      socket.write(notice)
      const status = await readStatus(socket)
      if (status !== 200 && status !== 204) throw new Error(`a notice was answered ${status}`)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, tell))
  return notices.length / ((performance.now() - start) / 1000)
}

/** Waits for a whole answer; they are short. */
function readStatus(socket: net.Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    const end = (settle: () => void) => {
      socket.off('data', onData)
      socket.off('close', onClose)
      settle()
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const headEnd = text.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length >= headEnd + 4 + length) end(() => resolve(Number(text.slice(9, 12))))
    }
    const onClose = () => end(() => reject(new Error('the server closed a connection')))
    socket.on('data', onData)
    socket.once('close', onClose)
  })
}
