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
import { addDevice, BoardPassword } from './device-changes.ts'

const path = '/api/devices/import'

/** New devices from a sheet; their model is named by its designation. */
export const deviceImport = sheetImport({
  kind: 'devices',
  add: addDevice,
  columns: [
    { field: 'deviceid', text: 'devices.field.deviceId', hint: 'devices.form.deviceIdHint' },
    { field: 'name', text: 'devices.field.name' },
    { field: 'modelid', text: 'devices.field.model', reads: 'choice' },
    { field: 'fmversion', text: 'devices.field.fmVersion' },
  ],
  fileNames: { blank: 'devices-to-import.xlsx', failed: 'devices-failed.xlsx' },
})

export const getDeviceImportSheet = endpoint({
  ...blankSheetCall,
  path,
  summary: 'The Excel sheet to fill in with new devices',
  needs: 'device.add',
})

export const importDevices = endpoint({
  ...importCall,
  path,
  summary: 'Adds the devices of an Excel file, or says what would come of it',
  needs: 'device.add',
  audit: 'device.import',
  input: z.object(importFields),
  data: ImportOutcome.extend({
    /** The boards of what was added, with their passwords: told this once, and kept nowhere. */
    boards: z.array(BoardPassword),
  }),
  refuses: importRefusals,
})

export const deviceImportCalls = { getDeviceImportSheet, importDevices }
