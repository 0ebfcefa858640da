import { getPlaceImportSheet, importPlaces, placeImport } from '@chairside/contract'
import { handle, handleOutside, type Call } from '../kit/call.ts'
import { writeBlankSheet } from '../kit/imports/import-sheets.ts'
import { importSheet } from '../kit/imports/import-sheet.ts'
import { insertPlaces } from './places-sql.ts'

/** New places from an Excel file. */
export const importPlacesCalls: Call[] = [
  handle(getPlaceImportSheet, ({ language, describeFile }) => {
    describeFile({ name: placeImport.fileNames.blank })
    return writeBlankSheet(placeImport, {}, language)
  }),
  handleOutside(importPlaces, (context) =>
    importSheet(context, {
      declared: placeImport,
      add: async (db, forms) => {
        await insertPlaces(db, context.caller().organisationId, forms)
        return { faults: [], made: {} }
      },
    }),
  ),
]
