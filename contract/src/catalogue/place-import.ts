import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  blankSheetCall,
  importCall,
  importFields,
  ImportOutcome,
  importRefusals,
  sheetImport,
} from '../kit/sheet-import.ts'
import { addPlace } from './places.ts'

const path = '/api/places/import'
const types = [2] as const

/** New places from a sheet, open all day as every new place is. */
export const placeImport = sheetImport({
  kind: 'places',
  add: addPlace,
  columns: [
    { field: 'address', text: 'catalogue.place.field.address' },
    { field: 'phone', text: 'catalogue.place.field.phone', hint: 'catalogue.place.phoneHint' },
  ],
  fileNames: { blank: 'places-to-import.xlsx', failed: 'places-failed.xlsx' },
})

export const getPlaceImportSheet = endpoint({
  ...blankSheetCall,
  path,
  summary: 'The Excel sheet to fill in with new places',
  needs: 'place.add',
  types,
})

export const importPlaces = endpoint({
  ...importCall,
  path,
  summary: 'Adds the places of an Excel file to the caller’s merchant, or says what would come of it',
  needs: 'place.add',
  types,
  audit: 'place.import',
  input: z.object(importFields),
  data: ImportOutcome,
  refuses: importRefusals,
})

export const placeImportCalls = { getPlaceImportSheet, importPlaces }
