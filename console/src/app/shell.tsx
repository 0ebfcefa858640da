import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'
import { useBackCloses } from '../kit/above-the-page.ts'
import { browserStorage } from '../kit/browser-storage.ts'
import { platformYear } from '../kit/formats.ts'
import { companyName } from '../kit/installation.ts'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog, lazyPart } from '../kit/lazy-part.tsx'
import { Mark } from '../kit/mark.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { isBlocked, isForOthers, ownPathOf, usePages } from '../kit/pages.ts'
import { useShortcut } from '../kit/shortcuts.ts'
import { useUnsavedWorkGuard } from '../kit/unsaved-work.ts'
import { Header } from './header.tsx'
import { useLoadAhead } from './load-ahead.ts'
import { MainMenu } from './menu.tsx'
import { BlockedPage } from '../kit/plain-page.tsx'
import { useUser } from '../kit/user.ts'
import { SessionGuard } from './session-guard.tsx'
import { useLogout } from './user-menu.tsx'
import './shell.css'

const CommandPalette = lazyDialog(() =>
  import('./command-palette.tsx').then((module) => module.CommandPalette),
)
const ShortcutHelp = lazyDialog(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp))

const ChangePasswordDialog = lazyPart(() =>
  import('../identity/change-password-dialog.tsx').then((module) => module.ChangePasswordDialog),
)

const thisYear = platformYear()
const foldedKey = 'MENU'

/** As somebody left it; until then a tablet has its width for the lists. */
function isFoldedAtFirst(): boolean {
  const kept = browserStorage.getItem(foldedKey)
  return kept === null ? matchMedia('(max-width: 1023px)').matches : kept === 'folded'
}

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

/** The menu is at the side and can be folded away; on a phone it is a drawer. */
function ShellLayout() {
  const say = useTexts()
  const narrow = useNarrow()
  const [menuOpen, setMenuOpen] = useState(false)
  const [folded, setFolded] = useState(isFoldedAtFirst)
  const [opened, setOpened] = useState<{ dialog: 'palette' | 'help'; above: string } | null>(null)
  const fold = () => {
    browserStorage.setItem(foldedKey, folded ? '' : 'folded')
    setFolded(!folded)
  }
  const address = useRouterState({ select: ({ location }) => location.href })
  // Back, too, closes what is open above the page.
  const dialog = opened?.above === address ? opened.dialog : null
  useUnsavedWorkGuard()
  useBackCloses(() => setMenuOpen(false), narrow && menuOpen)
  useLoadAhead()
  useShortcut('?', () => setOpened({ dialog: 'help', above: address }))
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpened({ dialog: 'palette', above: address })
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [address])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {say('console.app.skip')}
      </a>
      {!narrow && !folded && (
        <aside className="shell-side">
          <Brand />
          <MainMenu />
        </aside>
      )}
      <div className="shell-body">
        <Header
          onMenu={narrow ? () => setMenuOpen(true) : fold}
          onGoTo={() => setOpened({ dialog: 'palette', above: address })}
        />
        <main id="content" className="shell-main" tabIndex={-1}>
          <Gate />
        </main>
        <footer className="shell-footer">
          © {thisYear} {companyName}
        </footer>
      </div>
      {narrow && (
        <Drawer
          open={menuOpen}
          onClose={() => setMenuOpen(false)}
          placement="left"
          size={264}
          closable={false}
          rootClassName="menu-drawer"
          aria-label={say('console.app.menu')}
        >
          <Brand />
          <MainMenu onChosen={() => setMenuOpen(false)} />
        </Drawer>
      )}
      {dialog === 'palette' && <CommandPalette onClose={() => setOpened(null)} />}
      {dialog === 'help' && <ShortcutHelp onClose={() => setOpened(null)} />}
    </div>
  )
}

/** A generated password is changed before anything else opens; the server sees to that too. */
function FirstPassword() {
  const logout = useLogout()
  // Once it is changed the session says so, and the gate opens by itself.
  return <ChangePasswordDialog onClose={() => undefined} onLogout={() => void logout()} />
}

/** A screen that the user's tree does not have says so; the server refuses its calls in any case. */
function Gate() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { pages, isKnown } = usePages()
  const { mustChangePassword, type } = useUser()
  if (mustChangePassword) return <FirstPassword />
  if (!isKnown || !isBlocked(path, pages)) return <Outlet />
  const own = ownPathOf(path, pages)
  // The search goes along: it is what the sender wanted to be seen.
  return own === path ? (
    <BlockedPage isForOthers={isForOthers(path, type)} />
  ) : (
    <Navigate to={own as '/'} search={(same: object) => same as never} replace />
  )
}
