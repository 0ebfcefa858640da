import { getGoodsImportSheet, goodsImport, goodsLimits, importGoods } from '@chairside/contract'
import { handle, handleOutside, type Call } from '../kit/call.ts'
import { writeBlankSheet } from '../kit/imports/import-sheets.ts'
import { importSheet } from '../kit/imports/import-sheet.ts'
import { insertGoods } from './goods-sql.ts'
import { lockTemplate } from './goods-templates-sql.ts'

const max = goodsLimits.perTemplate
const noRoom = { field: 'name', message: 'refusals.tooManyGoods', values: { max } }

/** New goods of a template from an Excel file. */
export const importGoodsCalls: Call[] = [
  handle(getGoodsImportSheet, ({ language, describeFile }) => {
    describeFile({ name: goodsImport.fileNames.blank })
    return writeBlankSheet(goodsImport, {}, language)
  }),
  handleOutside(importGoods, (context) => {
    const { scope, input, caller, refuse } = context
    let room = 0
    return importSheet(context, {
      declared: goodsImport,
      target: async (db) => {
        const template = (await lockTemplate(db, scope, input.templateid)) ?? refuse('notFound')
        room = Math.max(0, max - template.goodsCount)
        return { id: template.id, name: template.name, shared: { templateid: template.id } }
      },
      add: async (db, forms) => {
        const template = { id: input.templateid, merchantId: caller().organisationId }
        await insertGoods(db, template, forms.slice(0, room))
        return { faults: forms.map((_, place) => (place < room ? undefined : noRoom)), made: {} }
      },
    })
  }),
]
