import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { recordId } from '../kit/fields.ts'
import {
  blankSheetCall,
  importCall,
  importFields,
  ImportOutcome,
  importRefusals,
  sheetImport,
} from '../kit/sheet-import.ts'
import { addGoods, goodsLimits } from './goods.ts'

const path = '/api/goods/import'
const types = [2] as const

/** New goods from a sheet; what else goods have is set on their own page. */
export const goodsImport = sheetImport({
  kind: 'goods',
  add: addGoods,
  columns: [
    { field: 'name', text: 'catalogue.goods.field.name' },
    { field: 'nameen', text: 'catalogue.goods.field.nameEn', hint: 'catalogue.goods.nameEnHint' },
    {
      field: 'price',
      text: 'catalogue.goods.field.price',
      reads: 'yuan',
      hint: 'imports.note.yuan',
    },
    {
      field: 'duration',
      text: 'catalogue.goods.field.duration',
      hint: 'imports.note.between',
      hintValues: { min: 1, max: goodsLimits.durationMinutes },
    },
  ],
  fileNames: { blank: 'goods-to-import.xlsx', failed: 'goods-failed.xlsx' },
})

export const getGoodsImportSheet = endpoint({
  ...blankSheetCall,
  path,
  summary: 'The Excel sheet to fill in with new goods',
  needs: 'goods.add',
  types,
})

export const importGoods = endpoint({
  ...importCall,
  path,
  summary: 'Adds the goods of an Excel file to a template, or says what would come of it',
  needs: 'goods.add',
  types,
  audit: 'goods.import',
  input: z.object({ ...importFields, templateid: recordId }),
  data: ImportOutcome,
  refuses: [...importRefusals, 'notFound'],
})

export const goodsImportCalls = { getGoodsImportSheet, importGoods }
