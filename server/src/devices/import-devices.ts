import { deviceImport, getDeviceImportSheet, importDevices } from '@chairside/contract'
import { handle, handleOutside, type Call, type CallContext } from '../kit/call.ts'
import type { Database } from '../kit/database.ts'
import type { ImportChoices } from '../kit/imports/check-row.ts'
import { writeBlankSheet } from '../kit/imports/import-sheets.ts'
import { importSheet, type RowFault } from '../kit/imports/import-sheet.ts'
import { addDevices, type AddedDevice, type NotAdded } from './add-devices.ts'
import type { DeviceCredentials } from './device-credentials.ts'
import { findModels } from './models-sql.ts'

/** Models are named by their designation; in whatever case, where that means one alone. */
async function choicesOf(db: Database): Promise<ImportChoices> {
  const models = await findModels(db)
  const idOf = (name: string): number | undefined => {
    const alike = models.filter(({ model }) => model.toLowerCase() === name.toLowerCase())
    return (alike.find(({ model }) => model === name) ?? (alike.length === 1 ? alike[0] : undefined))?.id
  }
  const modelid = {
    names: models.map(({ model }) => model),
    idOf,
    unknown: 'validation.modelUnknown',
  }
  return { modelid }
}

const faultOf: Record<NotAdded['refused'], RowFault> = {
  modelUnknown: { field: 'modelid', message: 'validation.modelUnknown' },
  deviceIdTaken: { field: 'deviceid', message: 'refusals.deviceIdTaken' },
}

const isAdded = (outcome: AddedDevice | NotAdded): outcome is AddedDevice => 'password' in outcome

const addRows = (credentials: DeviceCredentials, context: CallContext<typeof importDevices>) =>
  importSheet(context, {
    declared: deviceImport,
    choices: choicesOf,
    add: async (db, forms) => {
      const outcomes = await addDevices({ db, credentials, operator: context.caller() }, forms)
      const isTrial = context.input.dryrun === true
      return {
        faults: outcomes.map((outcome) => (isAdded(outcome) ? undefined : faultOf[outcome.refused])),
        // Passwords of a trial open nothing.
        made: {
          boards: isTrial
            ? []
            : outcomes.filter(isAdded).map(({ deviceId, password }) => ({ deviceId, password })),
        },
      }
    },
  })

/** New devices from an Excel file. */
export const createImportDevicesCalls = (credentials: DeviceCredentials): Call[] => [
  handle(getDeviceImportSheet, async ({ db, language, describeFile }) => {
    describeFile({ name: deviceImport.fileNames.blank })
    return writeBlankSheet(deviceImport, await choicesOf(db), language)
  }),
  handleOutside(importDevices, (context) => addRows(credentials, context)),
]
