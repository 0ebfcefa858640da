import { useEffect, useState } from 'preact/hooks'
import { api, Refused, type Goods, type PayOrder, type PayPage, type Placed } from '../api.ts'
import { keepChoice } from '../kept.ts'
import { useTexts, type PageLanguage } from '../language.ts'
import { Banner } from '../parts/banner.tsx'
import { ChairHeader } from '../parts/chair-header.tsx'
import { Help } from '../parts/help.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { useLooks } from '../use-looks.ts'
import { useOrder } from '../use-order.ts'
import { usePresses } from '../use-presses.ts'
import { useStop } from '../use-stop.ts'
import { isInWeChat, payInWeChat } from '../wechat.ts'
import { GoodsChoice } from './goods-choice.tsx'
import { OrderView } from './order-view.tsx'

interface Props {
  page: PayPage
  /** Why the last look at the chair failed. */
  failure?: unknown
  onReload: () => void
  onLanguage: (language: PageLanguage) => void
}

/** An order that there is no way to pay, since the provider was silent, is not shown: what is chosen anew takes its place. */
const orderToShow = ({ order, pay }: PayPage) => (order?.phase === 'paying' && !pay ? null : order)

const overPhases: readonly PayOrder['phase'][] = ['brokenOff', 'ended', 'refunded', 'closed', 'refundFailed']

/** One chair: what it offers, or the order of this customer that runs on it. */
export function ChairPage({ page, failure: pageFailure, onReload, onLanguage }: Props) {
  const { language, texts, say } = useTexts()
  const { order, setOrder, failure: orderFailure } = useOrder(orderToShow(page), language)
  /** The order whose words were read: whoever comes again sees them again. */
  const [leftOrderId, setLeftOrderId] = useState('')
  const [pay, setPay] = useState<Placed['pay'] | null>(page.pay)
  const { busy, problem, endedTries, during } = usePresses(onReload, order?.phase)
  const failure = orderFailure ?? pageFailure
  const stop = useStop(order, setOrder, language)

  useKeptFocus(order?.phase ?? page.state)
  useLooks(page.state, !order && !busy && pageFailure === undefined, onReload)

  const [known, setKnown] = useState(page)
  useEffect(() => {
    if (busy || known === page) return
    setKnown(page)
    // An order of this customer that was placed elsewhere, or whose answer was lost.
    const elsewhere = orderToShow(page)
    if (order || !elsewhere) return
    // What was left may go on: somebody started the rest of it.
    if (elsewhere.orderId === leftOrderId && overPhases.includes(elsewhere.phase)) return
    setPay(page.pay)
    setOrder(elsewhere)
  }, [page, known, order, busy, setOrder, leftOrderId])

  const place = (goods: Goods, requestKey: string) =>
    during(async () => {
      const inWeChat = isInWeChat()
      if (inWeChat && page.wechatSignInUrl && goods.priceCents > 0) {
        keepChoice(goods.id)
        location.assign(page.wechatSignInUrl)
        return
      }
      const placed = await api.place(language, {
        deviceId: page.deviceId,
        goodsId: goods.id,
        payWay: inWeChat ? 'jsapi' : 'native',
        requestKey,
        priceCents: goods.priceCents,
        durationMinutes: goods.durationMinutes,
      })
      setPay(placed.pay)
      setOrder(placed.order)
      if (placed.pay.kind === 'jsapi') await payInWeChat(placed.pay.parameters)
    })

  const again = () => {
    setPay(null)
    setLeftOrderId(order?.orderId ?? '')
    setOrder(null)
    onReload()
  }

  const hasRest = order?.phase === 'brokenOff'
  const againText = hasRest ? 'buyAnother' : order?.hasStarted ? 'again' : 'chooseAgain'
  const over = order && overPhases.includes(order.phase)
  return (
    <>
      <ChairHeader page={page} hasOrder={Boolean(order)} onLanguage={onLanguage} />
      <main>
        {failure !== undefined && (
          <p class="notice" role="status">
            {say(failure instanceof Refused ? 'noAnswer' : 'noConnection')}
          </p>
        )}
        {order ? (
          <OrderView
            order={order}
            pay={pay}
            busy={busy}
            successText={page.successText}
            successUrl={page.successUrl}
            sleepPrompt={page.sleepPrompt}
            onPay={() =>
              during(async () => (pay?.kind === 'jsapi' ? payInWeChat(pay.parameters) : undefined))
            }
            onStop={() => during(stop)}
            onCancel={() => during(async () => setOrder(await api.cancel(language, order.orderId)))}
          />
        ) : (
          <>
            <Banner picture={page.bannerPicture} url={page.bannerUrl} style={page.bannerStyle} />
            {page.sleepPrompt && page.goods.some(({ workMode }) => workMode === 1) && (
              <p class="sleep-prompt">{page.sleepPrompt}</p>
            )}
            {page.state === 'ready' ? (
              <GoodsChoice
                goods={page.goods}
                sellsFrom={page.sellsFrom}
                busy={busy}
                endedTries={endedTries}
                onPay={place}
              />
            ) : (
              <p class="unavailable" role="status">
                {texts.state[page.state].replace('{opensAt}', page.opensAt)}
              </p>
            )}
          </>
        )}
        {problem && (order || page.state === 'ready') && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {over && (
          // Whoever has a rest is not to take a new use for it.
          <button class={hasRest ? 'secondary' : 'primary'} type="button" onClick={again}>
            {say(againText)}
          </button>
        )}
      </main>
      <Help
        orderId={order?.orderId ?? ''}
        phone={order?.servicePhone || page.servicePhone}
        deviceId={page.deviceId}
      />
    </>
  )
}
