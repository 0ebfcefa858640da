import { MenuOutlined, SearchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { AlertBell } from '../devices/alert-bell.tsx'
import { useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { UserMenu } from './user-menu.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** User type and name, the way to any screen, language, appearance, log out (spec 1 §2). */
export function Header({ onMenu, onGoTo }: { onMenu: () => void; onGoTo: () => void }) {
  const say = useTexts()
  const narrow = useNarrow()
  return (
    <header className="shell-header">
      <Button
        type="text"
        icon={<MenuOutlined aria-hidden />}
        aria-label={say('console.app.menu')}
        onClick={onMenu}
      />
      <Button
        icon={<SearchOutlined aria-hidden />}
        {...(narrow ? { 'aria-label': say('console.header.goTo') } : {})}
        onClick={onGoTo}
      >
        {!narrow && (
          <>
            {say('console.header.goTo')} <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
          </>
        )}
      </Button>
      <span className="spacer" />
      <AlertBell />
      <UserMenu />
    </header>
  )
}
