import { useMemo, useState } from 'preact/hooks'
import type { Goods } from '../api.ts'
import { takeChoice } from '../kept.ts'
import { useTexts } from '../language.ts'
import { yuan } from '../money.ts'

interface Props {
  goods: readonly Goods[]
  /** When there is something again, where there is nothing now. */
  sellsFrom: string
  busy: boolean
  /** Tries to pay that the provider has ended: the next one is another order. */
  endedTries: number
  onPay: (goods: Goods, requestKey: string) => void
}

/** A key that makes a press and its repeats one order, also when the answer was lost. */
const newRequestKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const isSoldOut = ({ instock }: Goods) => instock === 0
/** What is for members alone is shown to everybody, so that they know. */
const canBeChosen = (goods: Goods) => !isSoldOut(goods) && !goods.memberOnly

/** What the chair offers, dearest wishes first as the merchant sorted them, and the one button to pay. */
export function GoodsChoice({ goods, sellsFrom, busy, endedTries, onPay }: Props) {
  const { language, say } = useTexts()
  const choices = goods.filter(canBeChosen)
  const [chosenId, setChosenId] = useState(() => takeChoice() ?? choices[0]?.id)
  // What was chosen may be on offer no longer.
  const chosen = choices.find(({ id }) => id === chosenId) ?? choices[0]
  const requestKey = useMemo(newRequestKey, [chosen?.id, endedTries])

  if (goods.length === 0)
    return <p class="unavailable">{sellsFrom ? say('nothingYet', { sellsFrom }) : say('nothingOnOffer')}</p>
  const nameOf = (one: Goods) => (language === 'en' && one.nameEn ? one.nameEn : one.name)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen && !busy) onPay(chosen, requestKey)
      }}
    >
      {/* Not disabled: what has the focus would lose it. */}
      <fieldset aria-disabled={busy}>
        <legend>{say('choose')}</legend>
        {goods.map((one) => (
          <label key={one.id} class={isSoldOut(one) ? 'goods sold-out' : 'goods'}>
            <input
              type="radio"
              name="goods"
              value={one.id}
              checked={one.id === chosen?.id}
              disabled={!canBeChosen(one)}
              onClick={(event) => busy && event.preventDefault()}
              onChange={() => setChosenId(one.id)}
            />
            {one.picture && <img src={one.picture} alt="" width={56} height={56} loading="lazy" />}
            <span class="what">
              <strong>{nameOf(one)}</strong>
              <span class="details">
                {say('minutes', { minutes: one.durationMinutes })}
                {one.workMode === 1 && <em>{say('sleep')}</em>}
                {one.freeFirst && <em>{say('firstFree')}</em>}
                {one.memberOnly && <em>{say('membersOnly')}</em>}
                {isSoldOut(one) && <em>{say('soldOut')}</em>}
                {one.instock > 0 && one.instock <= 20 && (
                  <em>{say('leftInStock', { count: one.instock })}</em>
                )}
              </span>
            </span>
            <span class="price">{one.priceCents === 0 ? say('free') : yuan(one.priceCents)}</span>
          </label>
        ))}
      </fieldset>
      <div class="bottom">
        <button class="primary" type="submit" disabled={!chosen} aria-disabled={busy} aria-busy={busy}>
          {chosen &&
            (chosen.priceCents === 0 ? say('startFree') : say('pay', { price: yuan(chosen.priceCents) }))}
          {!chosen && say(goods.every(isSoldOut) ? 'soldOut' : 'membersOnly')}
        </button>
      </div>
    </form>
  )
}
