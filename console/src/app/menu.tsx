import { BarChartOutlined, HomeOutlined, MobileOutlined, ProfileOutlined } from '@ant-design/icons'
import { Link, useRouterState } from '@tanstack/react-router'
import { Menu } from 'antd'
import type { ReactNode } from 'react'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { usePages } from '../kit/pages.ts'

const icons: Record<string, ReactNode> = {
  orders: <ProfileOutlined />,
  devices: <MobileOutlined />,
  reports: <BarChartOutlined />,
}

/** The main menu (spec 1 §2). */
export function MainMenu({ onChosen }: { onChosen?: () => void }) {
  const say = useTexts()
  const textOf = useTextOf()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { menus } = usePages()
  const items = [
    { key: '/', icon: <HomeOutlined />, label: <Link to="/">{say('console.app.home')}</Link> },
    ...menus.map((menu) => ({
      key: `menu-${menu.id}`,
      type: 'group' as const,
      label: textOf(menu.description),
      children: menu.children
        .filter(({ hidden }) => !hidden)
        .map((page) => ({
          key: page.url,
          icon: icons[menu.icon],
          label: <Link to={page.url as '/'}>{textOf(page.description)}</Link>,
        })),
    })),
  ]
  return (
    <Menu
      theme="dark"
      mode="inline"
      selectedKeys={[path]}
      items={items}
      {...(onChosen ? { onClick: onChosen } : {})}
    />
  )
}
