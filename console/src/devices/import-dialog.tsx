import { deviceImport, getDeviceImportSheet, importDevices } from '@chairside/contract'
import { useState } from 'react'
import { ImportDialog } from '../kit/imports/import-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import type { Boards } from './batches-page.tsx'
import { BoardPasswords } from './board-passwords.tsx'

/** Imports devices; the passwords of their boards are shown on top of what came of it. */
export function ImportDevicesDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  const [boards, setBoards] = useState<Boards>([])
  return (
    <>
      <ImportDialog
        declared={deviceImport}
        endpoint={importDevices}
        blankSheet={getDeviceImportSheet}
        title={say('imports.devices.title')}
        explain={say('imports.devices.explain')}
        confirmText={(count) => say('imports.devices.confirm', { count })}
        onDone={(outcome) => setBoards(outcome.boards)}
        onClose={onClose}
      />
      {boards.length > 0 && <BoardPasswords boards={boards} onClose={() => setBoards([])} />}
    </>
  )
}
