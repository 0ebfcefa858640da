import {
  bannerCssLimit,
  bannerLimits,
  frontLanguageValues,
  isMerchantMode,
  listBannerPictures,
  platformId,
  saveBanner,
  userTypes,
  type BannerRow,
  type InputOf,
} from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { useState } from 'react'
import { ChoiceField } from '../kit/choice-field.tsx'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { OrganisationPicker } from '../kit/organisation-picker.tsx'
import { useUser } from '../kit/user.ts'
import { useBannerName } from './banner-name.ts'
import { PictureField } from './picture-field.tsx'

interface Props {
  /** The banner that is edited; a new one is added without it. */
  row?: BannerRow | undefined
  onClose: () => void
}

const cssExample = 'border-radius: 16px; object-fit: contain'

const empty = {
  merchantid: '',
  bannerenable: true,
  bannerkey: '',
  url: '',
  css: '',
  successText: '',
  successUrl: '',
  frontLang: '3',
  allowManage: false,
  sleepPrompt: '',
}

/** What a form starts from; the fields of the call alone. */
function typedOf(row: BannerRow | undefined): typeof empty {
  if (!row) return empty
  return {
    merchantid: String(row.merchantId),
    bannerenable: row.bannerenable,
    bannerkey: row.bannerkey,
    url: row.url,
    css: row.css,
    successText: row.successText,
    successUrl: row.successUrl,
    frontLang: String(row.frontLang),
    allowManage: row.allowManage,
    sleepPrompt: row.sleepPrompt,
  }
}

/** Adds a banner or edits one: picture, words and languages of a merchant's pay pages (spec 2 §§2, 3). */
export function BannerDialog({ row, onClose }: Props) {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const nameOf = useBannerName()
  const [typed, setTyped] = useState(() => typedOf(row))
  const [isUploading, setUploading] = useState(false)
  const change = (part: Partial<typeof empty>) => setTyped((before) => ({ ...before, ...part }))
  const isMerchants = isMerchantMode(user.type)
  const { allowManage, sleepPrompt, merchantid, ...own } = typed
  // What a merchant may not say itself is not sent.
  const said = isMerchants ? own : { ...own, allowManage, sleepPrompt }
  const input = (
    row ? { ...said, id: row.id } : { ...said, ...(isMerchants ? {} : { merchantid }) }
  ) as InputOf<typeof saveBanner>
  const check = (): Record<string, string> => {
    if (isUploading) return { bannerkey: say('pictures.stillUploading') }
    return typed.bannerenable && typed.bannerkey === '' ? { bannerkey: say('validation.bannerKeyEmpty') } : {}
  }
  const textField = (
    name: 'url' | 'successText' | 'successUrl' | 'css' | 'sleepPrompt',
    maxLength: number,
    hint?: string,
  ) => ({ name, maxLength, hint, label: say(`banners.field.${name}`) })
  return (
    <FormDialog
      title={row ? say('banners.form.editTitle', { name: nameOf(row) }) : say('banners.form.addTitle')}
      endpoint={saveBanner}
      input={input}
      typed={[typed, isUploading]}
      check={check}
      refusedAt={{ '106': 'merchantid', '104': 'merchantid' }}
      submitText={say(row ? 'banners.form.save' : 'banners.form.add')}
      doneText={say(row ? 'banners.form.updated' : 'banners.form.added')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {!isMerchants && (
            <FormField
              name="merchantid"
              label={say('banners.field.merchantName')}
              error={errors['merchantid']}
              hint={say(
                user.type === userTypes.admin && !row
                  ? 'banners.form.merchantHintAdmin'
                  : 'banners.form.merchantHint',
              )}
              required={user.type !== userTypes.admin}
            >
              {({ id }) =>
                row?.merchantId === platformId ? (
                  <Input id={id} disabled value={nameOf(row)} />
                ) : (
                  <OrganisationPicker
                    id={id}
                    kind="merchant"
                    value={typed.merchantid}
                    disabled={row !== undefined}
                    onChange={(next) => change({ merchantid: next })}
                  />
                )
              }
            </FormField>
          )}
          <Checkbox
            checked={typed.bannerenable}
            onChange={({ target }) => change({ bannerenable: target.checked })}
          >
            {say('banners.form.enable')}
          </Checkbox>
          <PictureField
            name="bannerkey"
            label={say('banners.field.bannerkey')}
            use={{ purpose: 'banner' }}
            value={typed.bannerkey}
            history={listBannerPictures}
            error={errors['bannerkey']}
            required={typed.bannerenable}
            onChange={(bannerkey) => change({ bannerkey })}
            onUploading={setUploading}
          />
          {[
            textField('url', bannerLimits.address, say('banners.form.urlHint')),
            textField('successText', bannerLimits.successText),
            textField('successUrl', bannerLimits.address, say('banners.form.successUrlHint')),
            textField('css', bannerCssLimit, say('banners.form.cssHint', { example: cssExample })),
            ...(isMerchants
              ? []
              : [
                  textField(
                    'sleepPrompt',
                    bannerLimits.sleepPrompt,
                    say('banners.form.promptHint', { max: bannerLimits.sleepPrompt }),
                  ),
                ]),
          ].map(({ name, label, maxLength, hint }) => (
            <FormField key={name} name={name} label={label} error={errors[name]} hint={hint}>
              {(attributes) => (
                <Input
                  {...attributes}
                  autoComplete="off"
                  maxLength={maxLength}
                  value={typed[name]}
                  onChange={({ target }) => change({ [name]: target.value })}
                />
              )}
            </FormField>
          ))}
          <ChoiceField
            name="frontLang"
            label={say('banners.field.frontLang')}
            error={errors['frontLang']}
            value={typed.frontLang}
            options={frontLanguageValues.map((value) => ({
              value,
              label: textOf(`banners.frontLang.${value}`),
            }))}
            onChange={(frontLang) => change({ frontLang })}
          />
          {!isMerchants && (
            <Checkbox
              checked={typed.allowManage}
              onChange={({ target }) => change({ allowManage: target.checked })}
            >
              {say('banners.form.allowManage')}
            </Checkbox>
          )}
        </>
      )}
    </FormDialog>
  )
}
