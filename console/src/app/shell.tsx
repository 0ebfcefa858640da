import { logout } from '@chairside/contract'
import {
  BgColorsOutlined,
  GlobalOutlined,
  LogoutOutlined,
  MenuOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Drawer, Dropdown, Layout } from 'antd'
import { useState } from 'react'
import { call } from '../kit/call.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { clearSession } from '../kit/session.ts'
import { useAppearance, type Appearance } from '../kit/theme.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Mark } from '../kit/mark.tsx'
import { MainMenu } from './menu.tsx'
import { useUser } from '../kit/user.ts'
import { SessionGuard } from './session-guard.tsx'

const thisYear = new Date().getFullYear()

/** Header, menu and footer around every screen but the login (spec 1 §2). */
export function Shell() {
  return (
    <SessionGuard>
      <ShellLayout />
    </SessionGuard>
  )
}

const Brand = () => {
  const say = useTexts()
  return (
    <Link to="/" className="brand">
      <Mark />
      {say('console.app.name')}
    </Link>
  )
}

function ShellLayout() {
  const say = useTexts()
  const narrow = useNarrow()
  const [menuOpen, setMenuOpen] = useState(false)
  return (
    <Layout className="shell" hasSider={!narrow}>
      <a className="skip" href="#content">
        {say('console.app.skip')}
      </a>
      {!narrow && (
        <Layout.Sider width={212} style={{ position: 'sticky', top: 0, height: '100vh', overflow: 'auto' }}>
          <Brand />
          <nav aria-label={say('console.app.menu')}>
            <MainMenu />
          </nav>
        </Layout.Sider>
      )}
      <Layout>
        <Header onMenu={narrow ? () => setMenuOpen(true) : undefined} />
        <main id="content" className="shell-main" tabIndex={-1}>
          <Outlet />
        </main>
        <footer className="shell-footer">
          © {thisYear} {say('console.app.company')}
        </footer>
      </Layout>
      {narrow && (
        <Drawer
          open={menuOpen}
          onClose={() => setMenuOpen(false)}
          placement="left"
          size={264}
          closable={false}
          styles={{ body: { padding: 0, background: '#0c3f3a' } }}
          aria-label={say('console.app.menu')}
        >
          <Brand />
          <nav aria-label={say('console.app.menu')}>
            <MainMenu onChosen={() => setMenuOpen(false)} />
          </nav>
        </Drawer>
      )}
      <CommandPalette />
    </Layout>
  )
}

function Header({ onMenu }: { onMenu: (() => void) | undefined }) {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const narrow = useNarrow()
  const { language, setLanguage } = useLanguage()
  const { appearance, setAppearance } = useAppearance()
  const leave = useLogout()
  const appearances: Record<Appearance, string> = {
    light: say('console.header.themeLight'),
    dark: say('console.header.themeDark'),
    system: say('console.header.themeSystem'),
  }
  return (
    <Layout.Header className="shell-header">
      {onMenu && (
        <Button type="text" icon={<MenuOutlined />} aria-label={say('console.app.menu')} onClick={onMenu} />
      )}
      {!narrow && (
        <Button
          icon={<SearchOutlined />}
          onClick={() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))}
        >
          {say('console.header.goTo')} <kbd className="hint">Ctrl K</kbd>
        </Button>
      )}
      <span className="spacer" />
      <Button
        type="text"
        icon={<GlobalOutlined />}
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={() => setLanguage(language === 'en' ? 'zh-CN' : 'en')}
      >
        {language === 'en' ? '中文' : 'English'}
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{
          selectable: true,
          selectedKeys: [appearance],
          items: Object.entries(appearances).map(([key, label]) => ({ key, label })),
          onClick: ({ key }) => setAppearance(key as Appearance),
        }}
      >
        <Button type="text" icon={<BgColorsOutlined />} aria-label={say('console.header.theme')} />
      </Dropdown>
      <div className="who">
        <strong>{user.realName || user.userName}</strong>
        <span>
          {textOf(`console.userType.${user.type}`)} · {user.merchantName}
        </span>
      </div>
      <Button
        type="text"
        icon={<LogoutOutlined />}
        aria-label={say('console.header.logout')}
        onClick={leave}
      />
    </Layout.Header>
  )
}

function useLogout(): () => void {
  const say = useTexts()
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return () =>
    void modal.confirm({
      title: say('console.header.logoutConfirm'),
      content: say('console.header.logoutExplain'),
      okText: say('console.header.logout'),
      cancelText: say('console.form.cancel'),
      onOk: async () => {
        // Whether the server hears it or not, this tab forgets the session.
        await call(logout, {}).catch(() => undefined)
        clearSession()
        queries.clear()
        await navigate({ to: '/login' })
      },
    })
}
