import { listModels, listPlaces } from '@chairside/contract'
import { optionsFrom } from '../kit/listed-options.ts'

/** Places and templates are listed whole (spec 2 §9). */
const mostListed = 1000

/** Models to choose from. */
export const modelOptions = optionsFrom(listModels, {}, (models) =>
  models.map(({ id, model, name }) => ({
    value: String(id),
    label: name === '' ? model : `${model} (${name})`,
  })),
)

/** Places of one's merchant, of a sub-account those it is bound to. */
export const placeOptions = optionsFrom(listPlaces, { pagesize: mostListed }, ({ list }) =>
  list.map(({ id, address }) => ({ value: String(id), label: address })),
)
