import { bannerLimits, listBannerPictures, setTimeBanner, type BannerRow } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { DateField } from '../kit/date-field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useBannerName } from './banner-name.ts'
import { PictureField } from './picture-field.tsx'

/** The picture that is shown from one day to another in place of the usual one (spec 2 §§4, 5). */
export function BannerTimeDialog({ row, onClose }: { row: BannerRow; onClose: () => void }) {
  const say = useTexts()
  const nameOf = useBannerName()
  const [isUploading, setUploading] = useState(false)
  const [typed, setTyped] = useState({
    datelimit: row.datelimit,
    timebannerkey: row.timeBannerkey,
    startdate: row.startdate,
    enddate: row.enddate,
    timeurl: row.timeUrl,
  })
  const change = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }))
  const check = (): Record<string, string> => {
    if (isUploading) return { timebannerkey: say('pictures.stillUploading') }
    if (!typed.datelimit) return {}
    const missing = say('validation.limitDatesEmpty')
    return {
      ...(typed.timebannerkey === '' ? { timebannerkey: say('validation.timeBannerKeyEmpty') } : {}),
      ...(typed.startdate === '' ? { startdate: missing } : {}),
      ...(typed.enddate === '' ? { enddate: missing } : {}),
      ...(typed.startdate !== '' && typed.enddate !== '' && typed.startdate > typed.enddate
        ? { startdate: say('validation.limitDatesInvalid') }
        : {}),
    }
  }
  return (
    <FormDialog
      title={say('banners.form.timeTitle', { name: nameOf(row) })}
      endpoint={setTimeBanner}
      input={{ id: row.id, ...typed }}
      typed={[typed, isUploading]}
      check={check}
      submitText={say('banners.form.save')}
      doneText={say('banners.form.updated')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Checkbox
            checked={typed.datelimit}
            onChange={({ target }) => change({ datelimit: target.checked })}
          >
            {say('banners.form.limit')}
          </Checkbox>
          <p className="hint">{say('banners.form.limitHint')}</p>
          <PictureField
            name="timebannerkey"
            label={say('banners.field.timeBannerkey')}
            use={{ purpose: 'banner' }}
            value={typed.timebannerkey}
            history={listBannerPictures}
            error={errors['timebannerkey']}
            required={typed.datelimit}
            onChange={(timebannerkey) => change({ timebannerkey })}
            onUploading={setUploading}
          />
          <div className="banner-days">
            {(['startdate', 'enddate'] as const).map((name) => (
              <FormField
                key={name}
                name={name}
                label={say(`banners.field.${name}`)}
                error={errors[name]}
                required={typed.datelimit}
              >
                {({ id }) => (
                  <DateField
                    id={id}
                    value={typed[name]}
                    isInvalid={errors[name] !== undefined}
                    onChange={(date) => change({ [name]: date })}
                  />
                )}
              </FormField>
            ))}
          </div>
          <FormField name="timeurl" label={say('banners.field.timeUrl')} error={errors['timeurl']}>
            {(attributes) => (
              <Input
                {...attributes}
                autoComplete="off"
                maxLength={bannerLimits.address}
                value={typed.timeurl}
                onChange={({ target }) => change({ timeurl: target.value })}
              />
            )}
          </FormField>
        </>
      )}
    </FormDialog>
  )
}
