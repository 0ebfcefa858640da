import { logout } from '@chairside/contract'
import { DownOutlined, LogoutOutlined, MenuOutlined, SearchOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Popover, Segmented } from 'antd'
import { useState } from 'react'
import { call } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { clearSession } from '../kit/session.ts'
import { useAppearance, type Appearance } from '../kit/theme.tsx'
import { useUser } from '../kit/user.ts'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** User type and name, the way to any screen, language, appearance, log out (spec 1 §2). */
export function Header({ onMenu, onGoTo }: { onMenu: () => void; onGoTo: () => void }) {
  const say = useTexts()
  const narrow = useNarrow()
  return (
    <header className="shell-header">
      <Button type="text" icon={<MenuOutlined />} aria-label={say('console.app.menu')} onClick={onMenu} />
      <Button
        icon={<SearchOutlined />}
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
      <UserMenu />
    </header>
  )
}

function UserMenu() {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const leave = useLogout()
  const [open, setOpen] = useState(false)
  const { language, setLanguage } = useLanguage()
  const { appearance, setAppearance } = useAppearance()
  const name = user.realName || user.userName
  const type = textOf(`console.userType.${user.type}`)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      content={
        <div className="user-menu">
          <p className="hint">
            {user.userName}
            {user.merchantName === name ? '' : ` · ${user.merchantName}`}
          </p>
          <span className="hint">{say('console.header.language')}</span>
          <Segmented
            block
            aria-label={say('console.header.language')}
            value={language}
            options={[
              { value: 'en', label: 'English' },
              { value: 'zh-CN', label: '中文' },
            ]}
            onChange={setLanguage}
          />
          <span className="hint">{say('console.header.theme')}</span>
          <Segmented<Appearance>
            block
            aria-label={say('console.header.theme')}
            value={appearance}
            options={[
              { value: 'light', label: say('console.header.themeLight') },
              { value: 'dark', label: say('console.header.themeDark') },
              { value: 'system', label: say('console.header.themeSystem') },
            ]}
            onChange={setAppearance}
          />
          <Button
            block
            icon={<LogoutOutlined />}
            onClick={() => {
              setOpen(false)
              void leave()
            }}
          >
            {say('console.header.logout')}
          </Button>
        </div>
      }
    >
      <button type="button" className="who" aria-haspopup="dialog" aria-expanded={open}>
        <span className="who-names">
          <strong>{name}</strong>
          <span>{type}</span>
        </span>
        <DownOutlined />
      </button>
    </Popover>
  )
}

function useLogout(): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async () => {
    const sure = await confirm({
      title: say('console.header.logoutConfirm'),
      explain: say('console.header.logoutExplain'),
      doText: say('console.header.logout'),
      // Whether the server hears it or not, this tab forgets the session.
      act: () => call(logout, {}).catch(() => undefined),
    })
    if (!sure) return
    clearSession()
    queries.clear()
    await navigate({ to: '/login' })
  }
}
