import { addGoods, centsFromYuan, textLimit, type GoodsTemplate } from '@chairside/contract'
import { useState } from 'react'
import { Input } from 'antd'
import { FormDialog } from '../kit/form-dialog.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTexts } from '../kit/language.tsx'
import { PriceField, usePriceCheck } from './price-field.tsx'

/** Adds goods to a template; the rest is set on their own page. */
export function GoodsDialog({ template, onClose }: { template: GoodsTemplate; onClose: () => void }) {
  const say = useTexts()
  const checkPrice = usePriceCheck()
  const [typed, setTyped] = useState({ name: '', nameen: '', price: '', duration: '' })
  const textField = (
    name: 'name' | 'nameen' | 'duration',
    label: string,
    errors: Record<string, string>,
    hint?: string,
  ) => (
    <FormField name={name} label={label} error={errors[name]} hint={hint} required={name !== 'nameen'}>
      {(attributes) => (
        <Input
          {...attributes}
          autoFocus={name === 'name'}
          autoComplete="off"
          {...(name === 'duration' ? { inputMode: 'numeric' as const } : {})}
          maxLength={textLimit(addGoods, name) ?? 60}
          value={typed[name]}
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
        />
      )}
    </FormField>
  )
  return (
    <FormDialog
      title={say('catalogue.goods.addTitle', { name: template.name })}
      endpoint={addGoods}
      input={{
        ...typed,
        price: centsFromYuan(typed.price) ?? '',
        templateid: template.id,
        workmode: template.workMode === 1 ? '1' : '0',
      }}
      typed={typed}
      check={() => checkPrice(typed.price)}
      submitText={say('catalogue.goods.add')}
      doneText={say('catalogue.goods.added')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {textField('name', say('catalogue.goods.field.name'), errors)}
          {textField(
            'nameen',
            say('catalogue.goods.field.nameEn'),
            errors,
            say('catalogue.goods.nameEnHint'),
          )}
          <div className="form-grid">
            <PriceField
              label={say('catalogue.goods.field.price')}
              value={typed.price}
              error={errors['price']}
              onChange={(price) => setTyped({ ...typed, price })}
            />
            {textField('duration', say('catalogue.goods.field.duration'), errors)}
          </div>
        </>
      )}
    </FormDialog>
  )
}
