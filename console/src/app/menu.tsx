import {
  AppstoreOutlined,
  AuditOutlined,
  BarChartOutlined,
  BellOutlined,
  IdcardOutlined,
  SafetyCertificateOutlined,
  TeamOutlined,
  UsergroupAddOutlined,
  HistoryOutlined,
  HomeOutlined,
  InboxOutlined,
  MobileOutlined,
  ProfileOutlined,
  PictureOutlined,
  RollbackOutlined,
  SendOutlined,
  ShopOutlined,
  WifiOutlined,
} from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'
import { ReadState } from '../kit/read-state.tsx'

/** Icons by page, else by the menu that the server's tree puts it under. */
const pageIcons: Record<string, ReactNode> = {
  '/historyorder': <HistoryOutlined aria-hidden />,
  '/refunds': <RollbackOutlined aria-hidden />,
  '/myinformation': <IdcardOutlined aria-hidden />,
  '/users': <SafetyCertificateOutlined aria-hidden />,
  '/subaccount': <UsergroupAddOutlined aria-hidden />,
  '/audit': <AuditOutlined aria-hidden />,
  '/alerts': <BellOutlined aria-hidden />,
  '/notifications': <SendOutlined aria-hidden />,
  '/goodstemp': <AppstoreOutlined aria-hidden />,
  '/models': <AppstoreOutlined aria-hidden />,
  '/banner': <PictureOutlined aria-hidden />,
  '/batchdevice': <InboxOutlined aria-hidden />,
  '/api/device/status': <WifiOutlined aria-hidden />,
}
const menuIcons: Record<string, ReactNode> = {
  orders: <ProfileOutlined aria-hidden />,
  users: <TeamOutlined aria-hidden />,
  devices: <MobileOutlined aria-hidden />,
  catalogue: <ShopOutlined aria-hidden />,
  reports: <BarChartOutlined aria-hidden />,
}

/** The main menu (spec 1 §2). */
export function MainMenu({ onChosen }: { onChosen?: () => void }) {
  const say = useTexts()
  const textOf = useTextOf()
  const { menus, isKnown, read } = usePages()
  const shown = menus
    .map((menu) => ({ ...menu, children: menu.children.filter(({ hidden }) => !hidden) }))
    .filter(({ children }) => children.length > 0)
  const item = (url: string, icon: ReactNode, text: string) => (
    <li key={url}>
      <Link
        to={url as '/'}
        activeOptions={{ exact: true, includeSearch: false }}
        {...(onChosen ? { onClick: onChosen } : {})}
      >
        {icon} {text}
      </Link>
    </li>
  )
  return (
    <nav aria-label={say('console.app.menu')} className="main-menu">
      <ul>{item('/', <HomeOutlined aria-hidden />, say('console.app.home'))}</ul>
      {!isKnown && read.isError && <ReadState read={read}>{null}</ReadState>}
      {shown.map((menu) => (
        <div key={menu.id}>
          <h2>{textOf(menu.description)}</h2>
          <ul>
            {menu.children.map((page) =>
              item(page.url, pageIcons[page.url] ?? menuIcons[menu.icon], textOf(page.description)),
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}
