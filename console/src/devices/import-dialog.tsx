import { deviceImport, getDeviceImportSheet, importDevices } from '@chairside/contract'
import { ImportDialog } from '../kit/imports/import-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import { useBoardPasswords } from './board-passwords.tsx'

/** Imports devices; the passwords of their boards are shown above the outcome. */
export function ImportDevicesDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  const passwords = useBoardPasswords()
  return (
    <>
      <ImportDialog
        declared={deviceImport}
        endpoint={importDevices}
        blankSheet={getDeviceImportSheet}
        title={say('imports.devices.title')}
        explain={say('imports.devices.explain')}
        confirmText={(count) => say('imports.devices.confirm', { count })}
        onDone={(outcome) => passwords.show(outcome.boards)}
        onClose={onClose}
      />
      {passwords.dialog}
    </>
  )
}
