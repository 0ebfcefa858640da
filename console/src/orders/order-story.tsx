import { formatYuan, orderActors, type DataOf, type getOrder } from '@chairside/contract'
import { Copyable } from '../kit/copyable.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { useOrderWords } from './order-words.ts'
import { readDetail } from './story-words.ts'
import './order-story.css'

type Step = DataOf<typeof getOrder>['timeline'][number]

const actors: ReadonlySet<string> = new Set(orderActors)
const looksLikeId = /^(?=.*\d)[\w-]{16,}$/

/** What happened to an order, oldest first: who did what, and when. */
export function OrderStory({ steps }: { steps: readonly Step[] }) {
  const textOf = useTextOf()
  const say = useTexts()
  const { wordsOf } = useOrderWords()
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
          {step.detail && <StepDetail detail={step.detail} title={titleOf(step)} />}
        </li>
      ))}
      {steps.length === 0 && <li>{say('console.list.none')}</li>}
    </ol>
  )
}

/** What the server says beside a step, without what its title says, and what somebody wrote. */
function StepDetail({ detail, title }: { detail: string; title: string }) {
  const { wordOf } = useOrderWords()
  const { said, written } = readDetail(detail)
  return (
    <div className="story-detail">
      {said
        .filter((part) => wordOf(part) !== title)
        .map((part, index) =>
          looksLikeId.test(part) ? (
            <Copyable key={index} value={part} />
          ) : (
            <span key={index}>{wordOf(part)}</span>
          ),
        )}
      {written !== '' && <span>{written}</span>}
    </div>
  )
}
