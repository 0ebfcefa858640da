import {
  listDevices,
  listGoodsTemplates,
  listModels,
  listPlaces,
  type GoodsTemplate,
} from '@chairside/contract'
import { optionsFrom } from '../kit/listed-options.ts'

/** Places and templates are listed whole: one that was left out could never be chosen. */
const everyRow = 0

/** Models to choose from. */
export const modelOptions = optionsFrom(listModels, {}, (models) =>
  models.map(({ id, model, name }) => ({
    value: String(id),
    label: name === '' ? model : `${model} (${name})`,
  })),
)

/** Places of one's merchant, of a sub-account those it is bound to. */
export const placeOptions = optionsFrom(listPlaces, { pagesize: everyRow }, ({ list }) =>
  list.map(({ id, address }) => ({ value: String(id), label: address })),
)

/** A place by its id, named as its devices name it; by its id where it has none. */
export const placeOfDevices = (placeid: string) =>
  optionsFrom(listDevices, { placeid, pagesize: 1 }, ({ list }) => [
    { value: placeid, label: list[0]?.placeAddress ?? placeid },
  ])

const templateOption = ({ id, name }: GoodsTemplate) => ({ value: String(id), label: name })
const templateOptionsOf = (workmode?: '0' | '1') =>
  optionsFrom(listGoodsTemplates, { pagesize: everyRow, ...(workmode ? { workmode } : {}) }, ({ list }) =>
    list.map(templateOption),
  )

/** Goods templates of one's merchant: all, those for massage, those for sleep. */
export const templateOptions = templateOptionsOf()
export const massageTemplateOptions = templateOptionsOf('0')
export const sleepTemplateOptions = templateOptionsOf('1')
