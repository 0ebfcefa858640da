import {
  auditDecisions,
  auditRefund,
  centsFromYuan,
  formatYuan,
  yuanFromCents,
  type RefundRow,
} from '@chairside/contract'
import { Input, Radio } from 'antd'
import { useState } from 'react'
import { Facts } from '../kit/facts.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { RemarkField } from '../kit/remark-field.tsx'

type Decision = (typeof auditDecisions)[keyof typeof auditDecisions]

const byHand = new Set(['manualStart', 'externalStart'])

/** What was applied for, and the decision on it: approve, refuse, or paid back offline; a part may be paid back (spec 1 §§4, 5). */
export function AuditDialog({ refund, onClose }: { refund: RefundRow; onClose: () => void }) {
  const say = useTexts()
  const textOf = useTextOf()
  const [decision, setDecision] = useState<Decision>(
    byHand.has(refund.payChannel) ? auditDecisions.offline : auditDecisions.approve,
  )
  const [typed, setTyped] = useState<string>()
  const [remark, setRemark] = useState('')
  const isOffline = decision === auditDecisions.offline
  const mostCents = Math.min(refund.price, isOffline ? refund.refundableByHandCents : refund.refundableCents)
  const yuan = typed ?? yuanFromCents(mostCents).replaceAll(',', '')
  const priceCents = centsFromYuan(yuan)
  const refuses = decision === auditDecisions.refuse

  const check = (): Record<string, string> => {
    if (refuses) return {}
    if (priceCents === undefined) return { price: say('console.form.notAnAmount') }
    if (priceCents < 1) return { price: say('validation.tooSmall', { min: formatYuan(1) }) }
    if (priceCents > mostCents)
      return { price: say('console.refunds.amountHint', { amount: formatYuan(mostCents) }) }
    return {}
  }
  const isByHand = byHand.has(refund.payChannel)
  const offlineExplain = say(
    refund.payChannel === 'custAccount'
      ? 'console.refunds.offlineBalanceExplain'
      : 'console.refunds.offlineExplain',
  )
  const explain: Record<Decision, string> = {
    '1': say('console.refunds.approveExplain', { channel: textOf(`orders.payChannel.${refund.payChannel}`) }),
    '0': say('console.refunds.refuseExplain'),
    // Why it cannot be approved is said where that is not offered.
    '2': isByHand ? [say('refusals.onlyOfflineRefund'), offlineExplain].join('\n') : offlineExplain,
  }
  return (
    <FormDialog
      title={say('console.refunds.auditTitle', { id: refund.orderId })}
      endpoint={auditRefund}
      input={{
        id: refund.id,
        audit: decision,
        auditflag: decision,
        remark,
        ...(refuses || priceCents === undefined ? {} : { price: priceCents }),
      }}
      typed={[decision, typed, remark]}
      check={check}
      goesOn
      submitText={say('console.form.ok')}
      danger={refuses}
      doneText={say('console.refunds.audited')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {/* On a phone its row lies below the dialog. */}
          <Facts
            facts={[
              [say('refunds.field.merchantName'), refund.merchantName],
              [say('refunds.field.deviceSid'), refund.deviceSid],
              [say('refunds.field.createTime'), formatDateTime(refund.createTime)],
            ]}
          />
          <div className="facts-whole">
            <Facts facts={[[say('refunds.field.content'), refund.content]]} />
          </div>
          <FormField
            name="audit"
            label={say('console.refunds.decision')}
            error={errors['audit']}
            hint={explain[decision]}
          >
            {({ id }) => (
              <Radio.Group
                id={id}
                aria-label={say('console.refunds.decision')}
                value={decision}
                onChange={(event) => setDecision(event.target.value as Decision)}
                options={[
                  {
                    value: auditDecisions.approve,
                    label: say('console.refunds.approve'),
                    disabled: isByHand,
                  },
                  { value: auditDecisions.refuse, label: say('console.refunds.refuse') },
                  {
                    value: auditDecisions.offline,
                    label: say('console.refunds.offline'),
                    disabled: refund.refundableByHandCents === 0,
                  },
                ]}
              />
            )}
          </FormField>
          {!refuses && (
            <FormField
              name="price"
              label={say('console.refunds.amount')}
              error={errors['price']}
              hint={say('console.refunds.amountHint', { amount: formatYuan(mostCents) })}
              required
            >
              {(attributes) => (
                <Input
                  {...attributes}
                  inputMode="decimal"
                  maxLength={12}
                  value={yuan}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </FormField>
          )}
          <RemarkField
            endpoint={auditRefund}
            name="remark"
            label={say('console.refunds.remark')}
            value={remark}
            error={errors['remark']}
            required
            onChange={setRemark}
          />
        </>
      )}
    </FormDialog>
  )
}
