import { getGoodsImportSheet, goodsImport, importGoods } from '@chairside/contract'

import { ImportDialog } from '../kit/imports/import-dialog.tsx'
import { useTexts } from '../kit/language.tsx'

interface Props {
  template: { id: number; name: string }
  onClose: () => void
}

/** Imports goods into a template. */
export function ImportGoodsDialog({ template, onClose }: Props) {
  const say = useTexts()

  return (
    <ImportDialog
      declared={goodsImport}
      endpoint={importGoods}
      blankSheet={getGoodsImportSheet}
      target={{ templateid: String(template.id) }}
      title={say('imports.goods.title', { name: template.name })}
      explain={say('imports.goods.explain')}
      confirmText={(count) => say('imports.goods.confirm', { count })}
      onClose={onClose}
    />
  )
}
