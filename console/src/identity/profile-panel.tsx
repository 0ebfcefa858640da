import { formatYuan, incomeDayColumns, isSubordinate, reportOrderDays, userTypes } from '@chairside/contract'
import { SafetyOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { Facts } from '../kit/facts.tsx'
import { formatCount, formatDateTime } from '../kit/formats.ts'
import { ReadState } from '../kit/read-state.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { useConfirmTwoStep } from './confirm-two-step.ts'

const TwoStepDialog = lazyDialog(() => import('./two-step-dialog.tsx').then((module) => module.TwoStepDialog))

/** The signed-in user (spec 1 §2): ids, type, the organisation it belongs to, last login, two-step; a merchant's month. */
export function ProfilePanel() {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const may = useMay()
  const confirmTwoStep = useConfirmTwoStep()
  // Whoever has to activate two-step is asked at once.
  const [isActivating, setActivating] = useState(user.needTwoStep)
  const activate = async () => {
    if (await confirmTwoStep()) setActivating(true)
  }
  const showsMonth = user.type === userTypes.merchant && may('reportorderday.list')
  return (
    <section className="panel" aria-label={say('identity.profile.title')}>
      {user.needTwoStep && <Alert type="warning" showIcon title={say('identity.twoStep.required')} />}
      <Facts
        facts={[
          [say('identity.profile.userId'), user.userName],
          [
            say('identity.profile.type'),
            <span key="type" className="tags">
              {textOf(`console.userType.${user.type}`)}
              {isSubordinate(user.type) && (
                <span className="tag tag-quiet">{say('identity.profile.subordinate')}</span>
              )}
            </span>,
          ],
          [say('identity.profile.parent'), `${user.merchantName} (${user.merchantUserID})`],
          [say('identity.profile.lastLogin'), formatDateTime(user.lastLogin)],
          [
            say('identity.twoStep.title'),
            <span key="step" className="tags">
              <span className={user.twoStepEnabled ? 'tag tag-good' : 'tag tag-quiet'}>
                {say(user.twoStepEnabled ? 'identity.twoStep.on' : 'identity.twoStep.off')}
              </span>
              <Button size="small" icon={<SafetyOutlined aria-hidden />} onClick={() => void activate()}>
                {say(user.twoStepEnabled ? 'identity.twoStep.again' : 'identity.twoStep.activate')}
              </Button>
            </span>,
          ],
        ]}
      />
      {showsMonth && <ThisMonth />}
      {isActivating && <TwoStepDialog onClose={() => setActivating(false)} />}
    </section>
  )
}

const thisMonth = { datetype: '4' } as const

/** A merchant's income of this month, by how it came in. */
function ThisMonth() {
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const read = useRead(reportOrderDays, thisMonth)
  const factOf = (value: number, kind: string) =>
    kind === 'money' ? formatYuan(value) : formatCount(value, language)
  const total = read.data?.total
  return (
    <>
      <h2>
        <Link to={'/reportorderday' as '/'} search={thisMonth as never}>
          {say('identity.profile.thisMonth')}
        </Link>
      </h2>
      <ReadState read={read}>
        {total && (
          <Facts
            facts={incomeDayColumns
              .filter(({ totalled }) => totalled)
              .map(({ field, text, kind }) => [
                textOf(text),
                factOf(total[field as keyof typeof total], kind),
              ])}
          />
        )}
      </ReadState>
    </>
  )
}
