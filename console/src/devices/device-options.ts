import { listModels } from '@chairside/contract'
import { optionsFrom } from '../kit/listed-options.ts'

/** Models to choose from. */
export const modelOptions = optionsFrom(listModels, {}, (models) =>
  models.map(({ id, model, name }) => ({
    value: String(id),
    label: name === '' ? model : `${model} (${name})`,
  })),
)
