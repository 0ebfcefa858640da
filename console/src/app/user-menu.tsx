import { logout } from '@chairside/contract'
import { DownOutlined, KeyOutlined, LaptopOutlined, LogoutOutlined, SafetyOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Popover, Segmented } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import { useConfirmTwoStep } from '../identity/confirm-two-step.ts'
import { useBackCloses } from '../kit/above-the-page.ts'
import { call } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { joinSentences } from '../kit/formats.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { clearSession, forgetStaff } from '../kit/session.ts'
import { useAppearance, type Appearance } from '../kit/theme.tsx'
import { hasUnsavedWork } from '../kit/unsaved-work.ts'
import { useUser } from '../kit/user.ts'

const ChangePasswordDialog = lazyDialog(() =>
  import('../identity/change-password-dialog.tsx').then((module) => module.ChangePasswordDialog),
)
const SessionsDialog = lazyDialog(() =>
  import('../identity/sessions-dialog.tsx').then((module) => module.SessionsDialog),
)
const TwoStepDialog = lazyDialog(() =>
  import('../identity/two-step-dialog.tsx').then((module) => module.TwoStepDialog),
)

type Opened = 'password' | 'sessions' | 'twoStep'

/** The signed-in user, with what concerns them: password, devices, two-step, language, appearance, log out (spec 1 §1). */
export function UserMenu() {
  const say = useTexts()
  const textOf = useTextOf()
  const user = useUser()
  const leave = useLogout()
  const [open, setOpen] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const change = (isOpen: boolean) => {
    // What has the focus is about to be hidden.
    if (!isOpen && menu.current?.contains(document.activeElement)) opener.current?.focus()
    setOpen(isOpen)
  }
  useBackCloses(() => change(false), open)
  const confirmTwoStep = useConfirmTwoStep()
  const { language, setLanguage } = useLanguage()
  const { appearance, setAppearance } = useAppearance()
  const name = user.realName || user.userName
  const type = textOf(`console.userType.${user.type}`)
  const close = () => setOpened(null)
  const entry = (icon: ReactNode, text: string, act: () => void) => (
    <Button
      block
      type="text"
      className="user-menu-entry"
      icon={icon}
      onClick={() => {
        setOpen(false)
        // What opens now gives the focus back to where it is: the entry will be hidden by then.
        opener.current?.focus()
        act()
      }}
    >
      {text}
    </Button>
  )
  return (
    <>
      <Popover
        open={open}
        onOpenChange={change}
        // It is at the end of the page: Tab alone would not reach it.
        afterOpenChange={(isOpen) =>
          isOpen && menu.current?.querySelector<HTMLElement>('button, input')?.focus()
        }
        trigger="click"
        placement="bottomRight"
        content={
          <div ref={menu} className="user-menu" role="group" aria-label={name}>
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
            {entry(<KeyOutlined aria-hidden />, say('identity.password.change'), () => setOpened('password'))}
            {entry(<LaptopOutlined aria-hidden />, say('identity.sessions.title'), () =>
              setOpened('sessions'),
            )}
            {entry(
              <SafetyOutlined aria-hidden />,
              say('identity.twoStep.title'),
              () => void confirmTwoStep().then((goesOn) => goesOn && setOpened('twoStep')),
            )}
            {entry(<LogoutOutlined aria-hidden />, say('console.header.logout'), () => void leave())}
          </div>
        }
      >
        <button ref={opener} type="button" className="who" aria-expanded={open}>
          <span className="who-names">
            <strong>{name}</strong>
            <span>{type}</span>
          </span>
          <DownOutlined aria-hidden />
        </button>
      </Popover>
      {opened === 'password' && <ChangePasswordDialog onClose={close} />}
      {opened === 'sessions' && <SessionsDialog onClose={close} />}
      {opened === 'twoStep' && <TwoStepDialog onClose={close} />}
    </>
  )
}

/** Logs out after a confirmation. */
export function useLogout(): () => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { language } = useLanguage()
  return async () => {
    const sure = await confirm({
      title: say('console.header.logoutConfirm'),
      explain: joinSentences(
        [
          ...(hasUnsavedWork() ? [say('console.form.discardExplain')] : []),
          say('console.header.logoutExplain'),
        ],
        language,
      ),
      doText: say('console.header.logout'),
      // Whether the server hears it or not, this tab forgets the session.
      act: () => call(logout, {}).catch(() => undefined),
    })
    if (!sure) return
    clearSession()
    forgetStaff()
    queries.clear()
    // Unsaved work was asked about above.
    await navigate({ to: '/login', replace: true, ignoreBlocker: true })
  }
}
