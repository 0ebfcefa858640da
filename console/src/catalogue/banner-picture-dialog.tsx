import {
  bannerLimits,
  changeBanner,
  isMerchantMode,
  listBannerPictures,
  uploadBanner,
  type BannerRow,
} from '@chairside/contract'
import { Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { useBannerName } from './banner-name.ts'
import { PictureField } from './picture-field.tsx'

interface Props {
  row: BannerRow
  /** Changes the picture at once, or proposes one for a review. */
  does: 'change' | 'upload'
  onClose: () => void
}

/** Another picture for a banner, with where it leads to (spec 2 §2). */
export function BannerPictureDialog({ row, does, onClose }: Props) {
  const say = useTexts()
  const may = useMay()
  const user = useUser()
  const nameOf = useBannerName()
  const isChange = does === 'change'
  const [bannerkey, setKey] = useState(isChange ? row.bannerkey : row.newBannerkey)
  const [url, setUrl] = useState(isChange ? row.url : row.newUrl)
  const [isUploading, setUploading] = useState(false)
  const isAtOnce = isChange || (may('banner.review') && !isMerchantMode(user.type))
  const check = (): Record<string, string> => {
    if (isUploading) return { bannerkey: say('pictures.stillUploading') }
    return bannerkey === '' ? { bannerkey: say('validation.bannerKeyEmpty') } : {}
  }
  return (
    <FormDialog
      title={say(isChange ? 'banners.form.changeTitle' : 'banners.form.uploadTitle', { name: nameOf(row) })}
      endpoint={isChange ? changeBanner : uploadBanner}
      input={{ id: row.id, bannerkey, url }}
      typed={[bannerkey, url, isUploading]}
      check={check}
      submitText={say(isChange ? 'banners.form.save' : 'banners.form.send')}
      doneText={
        isChange
          ? say('banners.form.updated')
          : say(isAtOnce ? 'banners.form.shown' : 'banners.form.sentForReview')
      }
      onClose={onClose}
    >
      {(errors) => (
        <>
          {!isChange && (
            <p className="hint">{say(isAtOnce ? 'banners.form.uploadAtOnce' : 'banners.form.uploadHint')}</p>
          )}
          <PictureField
            name="bannerkey"
            label={say('banners.field.bannerkey')}
            use={{ purpose: 'banner' }}
            value={bannerkey}
            history={listBannerPictures}
            error={errors['bannerkey']}
            required
            onChange={setKey}
            onUploading={setUploading}
          />
          <FormField
            name="url"
            label={say('banners.field.url')}
            error={errors['url']}
            hint={say('banners.form.urlHint')}
          >
            {(attributes) => (
              <Input
                {...attributes}
                autoComplete="off"
                maxLength={bannerLimits.address}
                value={url}
                onChange={({ target }) => setUrl(target.value)}
              />
            )}
          </FormField>
        </>
      )}
    </FormDialog>
  )
}
