import { listGoodsPictures, modifyGoods, textLimit } from '@chairside/contract'
import { Checkbox, Input } from 'antd'
import { DateField } from '../kit/date-field.tsx'
import { FormField } from '../kit/form-field.tsx'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { PictureField } from './picture-field.tsx'
import { PriceField } from './price-field.tsx'

/** Goods as their form has them. */
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
  goodsId: number
  typed: TypedGoods
  workMode: '0' | '1'
  errors: Record<string, string>
  /** Told what is changed alone: a picture arrives while somebody types on. */
  onChange: (changed: Partial<TypedGoods>) => void
  /** Told when a picture is on its way, so that the form waits for it. */
  onUploading: (isUploading: boolean) => void
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
export function GoodsFields({ goodsId, typed, workMode, errors, onChange, onUploading }: Props) {
  const say = useTexts()
  const textOf = useTextOf()
  const set = <Name extends keyof TypedGoods>(name: Name, value: TypedGoods[Name]) =>
    onChange({ [name]: value })
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
      <PictureField
        name="portrait"
        label={say('catalogue.goods.field.portrait')}
        use={{ purpose: 'portrait', goodsId }}
        value={typed.portrait}
        history={listGoodsPictures}
        error={errors['portrait']}
        onChange={(portrait) => set('portrait', portrait)}
        onUploading={onUploading}
      />
    </>
  )
}
