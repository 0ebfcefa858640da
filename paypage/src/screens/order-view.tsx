import type { PayOrder, Placed } from '../api.ts'
import { useTexts } from '../language.ts'
import { yuan } from '../money.ts'
import { OutsideLink } from '../parts/banner.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { StopChair } from './stop-chair.tsx'

interface Props {
  order: PayOrder
  pay: Placed['pay'] | null
  busy: boolean
  successText: string
  successUrl: string
  sleepPrompt: string
  onPay: () => void
  onStop: () => void
  onCancel: () => void
}

/** An order from waiting for its payment to its end, in the words of the server's state. */
export function OrderView(props: Props) {
  const { order } = props
  const { say } = useTexts()
  const isFree = order.priceCents === 0
  switch (order.phase) {
    case 'paying':
      return <Paying {...props} />
    case 'starting':
      return (
        <section class="phase" role="status">
          <div class="pulse" aria-hidden="true" />
          <h1>{say(isFree ? 'startingFreeTitle' : 'startingTitle')}</h1>
          <p>{say(isFree ? 'startingFreeHint' : 'startingHint')}</p>
        </section>
      )
    case 'running':
      return <Running {...props} />
    case 'brokenOff':
      return (
        <Words
          title={say('brokenOffTitle')}
          // A run of which half a minute is missing counts as delivered: there is always one.
          hint={say('brokenOffHint', { minutes: Math.round(order.remainingSeconds / 60) })}
        />
      )
    case 'ended':
      return <Ended {...props} />
    case 'refunding':
      if (order.hasStarted) return <Words title={say('givingBackTitle')} hint={say('givingBackHint')} />
      return (
        <Words title={say('refundingTitle')} hint={say('refundingHint', { price: yuan(order.priceCents) })} />
      )
    case 'refunded':
      if (isFree && !order.hasStarted)
        return <Words title={say('refundingTitle')} hint={say('notStartedFree')} />
      return (
        <Words
          title={say('refundedTitle')}
          hint={say('refundedHint', { price: yuan(order.refundedCents) })}
        />
      )
    case 'refundFailed':
      return <Words title={say('refundFailedTitle')} hint={say('refundFailedHint')} />
    case 'closed':
      return <Words title={say('closedTitle')} hint={say('closedHint')} />
  }
}

/** What was bought, as the page's language calls it. */
function useGoodsName({ goodsName, goodsNameEn }: PayOrder): string {
  const { language } = useTexts()
  return language === 'en' && goodsNameEn ? goodsNameEn : goodsName
}

function Words({ title, hint }: { title: string; hint: string }) {
  return (
    <section class="phase" role="status">
      <h1>{title}</h1>
      <p>{hint}</p>
    </section>
  )
}

function Paying({ order, pay, busy, onPay, onCancel }: Props) {
  const { say } = useTexts()
  const price = yuan(order.priceCents)
  const name = useGoodsName(order)
  return (
    <section class="phase">
      <div role="status">
        <h1>{say('payingTitle')}</h1>
        <p>
          {name} · {say('minutes', { minutes: order.durationMinutes })} · {price}
        </p>
      </div>
      {pay?.kind === 'native' && (
        <>
          <img class="code" src={pay.codeImage} alt={say('payingScan', { price })} width={220} height={220} />
          <p>{say('payingScan', { price })}</p>
          {pay.codeUrl.startsWith('http') && (
            <a class="primary" href={pay.codeUrl} target="_blank" rel="noopener">
              {say('payingOpen')}
            </a>
          )}
        </>
      )}
      {pay?.kind === 'jsapi' && (
        <>
          <p>{say('payingInWeChat')}</p>
          <button class="primary" type="button" aria-disabled={busy} onClick={onPay}>
            {say('payAgain')}
          </button>
        </>
      )}
      <button class="secondary" type="button" aria-disabled={busy} onClick={onCancel}>
        {say('giveUp')}
      </button>
    </section>
  )
}

function Running({ order, busy, sleepPrompt, onStop }: Props) {
  const { say } = useTexts()
  return (
    <section class="phase">
      <div role="status">
        <h1>{say('runningTitle')}</h1>
      </div>
      {sleepPrompt && order.workMode === 1 && <p class="sleep-prompt">{sleepPrompt}</p>}
      <Countdown
        remainingSeconds={order.remainingSeconds}
        totalSeconds={order.durationMinutes * 60}
        label={say('remaining')}
      />
      {order.stoppable && <StopChair stopping={order.stopping} busy={busy} onStop={onStop} />}
    </section>
  )
}

function Ended({ order, successText, successUrl }: Props) {
  const { say } = useTexts()
  const name = useGoodsName(order)
  return (
    <section class="phase" role="status">
      <h1>{say('endedTitle')}</h1>
      <p>
        {name} · {yuan(order.priceCents - order.refundedCents)}
      </p>
      {successText && <p>{successText}</p>}
      {successUrl && <OutsideLink url={successUrl} />}
    </section>
  )
}
