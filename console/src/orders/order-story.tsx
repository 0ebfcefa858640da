import { formatYuan, orderActors, type DataOf, type getOrder } from '@chairside/contract'
import { Copyable } from '../kit/copyable.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { partsOf, wordKeys } from './story-words.ts'
import './order-story.css'

type Step = DataOf<typeof getOrder>['timeline'][number]

const actors: ReadonlySet<string> = new Set(orderActors)
const looksLikeId = /^(?=.*\d)[\w-]{16,}$/

/** What happened to an order, oldest first: who did what, and when. */
export function OrderStory({ steps }: { steps: readonly Step[] }) {
  const textOf = useTextOf()
  const say = useTexts()
  const wordOf = (phrase: string) => {
    const known = wordKeys(phrase).find((key) => textOf(key) !== key)
    return known === undefined ? phrase : textOf(known)
  }
  const wordsOf = (phrase: string) => partsOf(phrase).map(wordOf).join(' · ')
  const titleOf = ({ kind, what }: Step) =>
    kind === 'status' ? textOf(`orders.status.${what}`) : wordsOf(what)
  return (
    <ol className="story">
      {steps.map((step, index) => (
        <li key={index} className={`story-${step.kind}`}>
          <strong>{titleOf(step)}</strong>{' '}
          <span className="hint">{textOf(`console.timeline.${step.kind}`)}</span>
          {step.cents !== null && <span className="story-amount">{formatYuan(step.cents)}</span>}
          <div className="hint">
            <time dateTime={step.at}>{formatDateTime(step.at)}</time> ·{' '}
            {actors.has(step.by) ? textOf(`console.timeline.${step.by}`) : step.by}
          </div>
          {step.detail && (
            <div className="story-detail">
              {partsOf(step.detail)
                .filter((part) => wordOf(part) !== titleOf(step))
                .map((part) =>
                  looksLikeId.test(part) ? (
                    <Copyable key={part} value={part} />
                  ) : (
                    <span key={part}>{wordOf(part)}</span>
                  ),
                )}
            </div>
          )}
        </li>
      ))}
      {steps.length === 0 && <li>{say('console.list.none')}</li>}
    </ol>
  )
}
