import { Modal } from 'antd'
import { useTexts } from '../kit/language.tsx'
import { useAboveThePage } from '../kit/above-the-page.ts'

/** What the keys do; opened by `?`. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const shortcuts = [
    ['Ctrl K, ⌘ K', say('console.shortcuts.goTo')],
    ['/', say('console.shortcuts.filters')],
    ['r', say('console.shortcuts.refresh')],
    ['[ ]', say('console.shortcuts.pages')],
    ['Esc', say('console.shortcuts.close')],
    ['?', say('console.shortcuts.help')],
  ] as const
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      title={say('console.shortcuts.title')}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <dl className="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
