import { getGoodsImportSheet, goodsImport, importGoods } from '@chairside/contract'
import { handle, handleOutside, type Call } from '../kit/call.ts'
import { writeBlankSheet } from '../kit/imports/import-sheets.ts'
import { importSheet } from '../kit/imports/import-sheet.ts'
import { insertGoods } from './goods-sql.ts'
import { lockTemplate } from './goods-templates-sql.ts'

/** New goods of a template from an Excel file. */
export const importGoodsCalls: Call[] = [
  handle(getGoodsImportSheet, ({ language, describeFile }) => {
    describeFile({ name: goodsImport.fileNames.blank })
    return writeBlankSheet(goodsImport, {}, language)
  }),
  handleOutside(importGoods, (context) => {
    const { scope, input, caller, refuse } = context
    return importSheet(context, {
      declared: goodsImport,
      target: async (db) => {
        const template = (await lockTemplate(db, scope, input.templateid)) ?? refuse('notFound')
        return { id: template.id, name: template.name, shared: { templateid: template.id } }
      },
      add: async (db, forms) => {
        await insertGoods(db, { id: input.templateid, merchantId: caller().organisationId }, forms)
        return { faults: [], made: {} }
      },
    })
  }),
]
