import type { Call } from '../kit/call.ts'
import { placeBindingCalls } from './bind-sub-accounts.ts'
import { goodsCalls } from './goods-api.ts'
import { importGoodsCalls } from './import-goods.ts'
import { importPlacesCalls } from './import-places.ts'
import { goodsTemplateCalls } from './goods-templates-api.ts'
import { placeListCalls } from './places-api.ts'

/** What a merchant sells and where. */
export const catalogueCalls: Call[] = [
  ...placeListCalls,
  ...importPlacesCalls,
  ...placeBindingCalls,
  ...goodsTemplateCalls,
  ...goodsCalls,
  ...importGoodsCalls,
]
