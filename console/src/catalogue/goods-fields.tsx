import { modifyGoods } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { DateField } from '../kit/date-field.tsx'
import { FormField } from '../kit/form-field.tsx'
import { textLimit } from '../kit/form-rules.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { PriceField } from './price-field.tsx'

/** Goods as they stand in their form. */
export interface TypedGoods {
  name: string
  nameEn: string
  /** Yuan. */
  price: string
  duration: string
  queue: string
  instock: string
  freeFirst: boolean
  memberOnly: boolean
  timeLimit: boolean
  timeStart: string
  timeEnd: string
  portrait: string
}

interface Props {
  typed: TypedGoods
  workMode: '0' | '1'
  errors: Record<string, string>
  onChange: (typed: TypedGoods) => void
}

const texts = [
  { name: 'name', required: true },
  { name: 'nameEn', hint: 'catalogue.goods.nameEnHint' },
] as const
const numbers = [
  { name: 'duration', required: true },
  { name: 'queue', hint: 'catalogue.goods.queueHint' },
  { name: 'instock', hint: 'catalogue.goods.instockHint' },
] as const
const numberLength = 8

/** The fields of goods; the work mode is the template's and only shown. */
export function GoodsFields({ typed, workMode, errors, onChange }: Props) {
  const say = useTexts()
  const textOf = useTextOf()
  const set = <Name extends keyof TypedGoods>(name: Name, value: TypedGoods[Name]) =>
    onChange({ ...typed, [name]: value })
  const textField = (
    name: 'name' | 'nameEn' | 'duration' | 'queue' | 'instock',
    hint: string | undefined,
    required: boolean,
    isNumber: boolean,
  ) => (
    <FormField
      key={name}
      name={name}
      label={say(`catalogue.goods.field.${name}`)}
      error={errors[name]}
      hint={hint}
      required={required}
    >
      {(attributes) => (
        <Input
          {...attributes}
          autoFocus={name === 'name'}
          autoComplete="off"
          {...(isNumber ? { inputMode: 'numeric' as const } : {})}
          maxLength={isNumber ? numberLength : textLimit(modifyGoods, name)}
          value={typed[name]}
          onChange={(event) => set(name, event.target.value)}
        />
      )}
    </FormField>
  )
  const dayField = (name: 'timeStart' | 'timeEnd') => (
    <FormField name={name} label={say(`catalogue.goods.field.${name}`)} error={errors[name]} required>
      {({ id }) => (
        <DateField
          id={id}
          value={typed[name]}
          isInvalid={errors[name] !== undefined}
          onChange={(date) => set(name, date)}
        />
      )}
    </FormField>
  )
  return (
    <>
      <div className="form-grid">
        {texts.map(({ name, ...rest }) =>
          textField(name, 'hint' in rest ? say(rest.hint) : undefined, 'required' in rest, false),
        )}
        <PriceField
          label={say('catalogue.goods.field.price')}
          value={typed.price}
          error={errors['price']}
          onChange={(price) => set('price', price)}
        />
        {numbers.map(({ name, ...rest }) =>
          textField(name, 'hint' in rest ? say(rest.hint) : undefined, 'required' in rest, true),
        )}
        <FormField
          name="workMode"
          label={say('catalogue.goods.field.workMode')}
          error={errors['workMode']}
          hint={say('catalogue.template.workModeStays')}
        >
          {(attributes) => (
            <Input {...attributes} readOnly value={textOf(`catalogue.workMode.${workMode}`)} />
          )}
        </FormField>
      </div>
      <div className="goods-marks">
        {(['freeFirst', 'memberOnly', 'timeLimit'] as const).map((name) => (
          <Checkbox key={name} checked={typed[name]} onChange={({ target }) => set(name, target.checked)}>
            {say(`catalogue.goods.field.${name}`)}
          </Checkbox>
        ))}
      </div>
      {typed.freeFirst && <p className="hint">{say('catalogue.goods.freeFirstHint')}</p>}
      {typed.timeLimit && (
        <div className="form-grid">
          {dayField('timeStart')}
          {dayField('timeEnd')}
        </div>
      )}
    </>
  )
}
