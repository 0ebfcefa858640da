import { bannerLimits, isMerchantMode, modifySleepPrompt, type BannerRow } from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { useBannerName } from './banner-name.ts'

/** Another sleep prompt; a merchant's waits for its review (spec 2 §§1, 5). */
export function SleepPromptDialog({ row, onClose }: { row: BannerRow; onClose: () => void }) {
  const say = useTexts()
  const may = useMay()
  const user = useUser()
  const nameOf = useBannerName()
  const [newsleepprompt, setPrompt] = useState(row.newSleepPrompt || row.sleepPrompt)
  const isAtOnce = may('banner.review') && !isMerchantMode(user.type)
  const max = bannerLimits.sleepPrompt
  return (
    <FormDialog
      title={say('banners.form.promptTitle', { name: nameOf(row) })}
      endpoint={modifySleepPrompt}
      input={{ merchantid: row.merchantId, newsleepprompt }}
      submitText={say(isAtOnce ? 'banners.form.save' : 'banners.form.send')}
      doneText={say(isAtOnce ? 'banners.form.updated' : 'banners.form.sentForReview')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <FormField
            name="newsleepprompt"
            label={say('banners.field.sleepPrompt')}
            error={errors['newsleepprompt']}
            hint={say('banners.form.promptHint', { max })}
            required
          >
            {(attributes) => (
              <Input
                {...attributes}
                autoFocus
                autoComplete="off"
                maxLength={max}
                showCount
                value={newsleepprompt}
                onChange={({ target }) => setPrompt(target.value)}
              />
            )}
          </FormField>
          {!isAtOnce && <p className="hint">{say('banners.form.promptReview')}</p>}
        </>
      )}
    </FormDialog>
  )
}
