import { deleteGoodsTemplate, goodsLimits, workModes, type GoodsTemplate } from '@chairside/contract'
import { App } from 'antd'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { formatCount, joinSentences } from '../kit/formats.ts'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { RowActions, type RowAction } from '../kit/row-actions.tsx'
import { useMay } from '../kit/user.ts'

export type TemplateDialogName = 'edit' | 'goods' | 'import'

interface Props {
  template: GoodsTemplate
  onOpen: (dialog: TemplateDialogName) => void
}

/** What can be done with a goods template. */
export function TemplateActions({ template, onOpen }: Props) {
  const say = useTexts()
  const may = useMay()
  const askToDelete = useDeletion(template)
  const max = goodsLimits.perTemplate
  const full = template.goodsCount < max ? {} : { disabledBecause: say('refusals.tooManyGoods', { max }) }
  const actions: RowAction[] = [
    ...(may('goods.add')
      ? [
          { key: 'goods', text: say('catalogue.goods.add'), act: () => onOpen('goods'), ...full },
          { key: 'import', text: say('imports.goods.open'), act: () => onOpen('import'), ...full },
        ]
      : []),
    ...(may('goodstemp.modify')
      ? [{ key: 'edit', text: say('catalogue.template.edit'), act: () => onOpen('edit') }]
      : []),
    ...(may('goodstemp.delete')
      ? [
          {
            key: 'delete',
            text: say('catalogue.template.delete'),
            danger: true,
            act: () => void askToDelete(),
          },
        ]
      : []),
  ]
  return <RowActions row={template.name} actions={actions} />
}

/** Asks before a template is deleted, saying what becomes of the devices that sell from it. */
function useDeletion({ id, name, workMode, deviceCount, goodsCount }: GoodsTemplate): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const { language } = useLanguage()
  const remove = useChange(deleteGoodsTemplate)
  const isSleep = String(workMode) === workModes.sleep
  return async () => {
    const devices = formatCount(deviceCount, language)
    const sentences = [
      deviceCount === 0
        ? say('catalogue.template.deleteNoDevices')
        : say(isSleep ? 'catalogue.template.deleteSleepDevices' : 'catalogue.template.deleteDevices', {
            devices,
          }),
      say('catalogue.template.deleteGoods', { goods: formatCount(goodsCount, language) }),
    ]
    const isDone = await confirm({
      title: say('catalogue.template.deleteTitle', { name }),
      explain: joinSentences(sentences, language),
      doText: say('catalogue.template.delete'),
      danger: true,
      act: () => remove.mutateAsync({ id }),
      failedText: 'console.form.deleteFailed',
    })
    if (isDone) void message.success(say('catalogue.template.deleted', { name }))
  }
}
