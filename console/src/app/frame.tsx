import { LoadingOutlined } from '@ant-design/icons'
import { App, ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import type { ReactNode } from 'react'
import { useLanguage } from '../kit/language.tsx'
import { themeOf, useAppearance } from '../kit/theme.tsx'

/** antd in the console's face, language and appearance. */
export function Frame({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  const { isDark } = useAppearance()
  return (
    <ConfigProvider
      locale={language === 'zh-CN' ? zhCN : enUS}
      theme={themeOf(isDark)}
      button={{ autoInsertSpace: false, loadingIcon: <LoadingOutlined aria-hidden /> }}
    >
      <App>{children}</App>
    </ConfigProvider>
  )
}
