import { getPlaceImportSheet, importPlaces, placeImport } from '@chairside/contract'
import { ImportDialog } from '../kit/imports/import-dialog.tsx'
import { useTexts } from '../kit/language.tsx'

/** Imports places of one's own. */
export function ImportPlacesDialog({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  return (
    <ImportDialog
      declared={placeImport}
      endpoint={importPlaces}
      blankSheet={getPlaceImportSheet}
      title={say('imports.places.title')}
      explain={say('imports.places.explain')}
      confirmText={(count) => say('imports.places.confirm', { count })}
      onClose={onClose}
    />
  )
}
