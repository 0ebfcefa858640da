import { theme as antdTheme, type ThemeConfig } from 'antd'
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { browserStorage } from './browser-storage.ts'

/* The face of the console: deep teal on warm paper, amber for what wants the eye. Every pair of colours used for text
 * meets 4.5:1 in light and in dark. */

export type Appearance = 'light' | 'dark' | 'system'
const storageKey = 'APPEARANCE'

const light: ThemeConfig['token'] = {
  colorPrimary: '#0e5a52',
  colorLink: '#0b6258',
  colorInfo: '#1f5f8b',
  colorSuccess: '#1f7a3d',
  colorWarning: '#8a5300',
  colorError: '#b3261e',
  colorBgLayout: '#f6f4ef',
  colorBgContainer: '#ffffff',
  colorText: '#1c2422',
  colorTextSecondary: '#47524e',
  colorTextTertiary: '#5a6561',
  colorTextQuaternary: '#6b7571',
  colorTextPlaceholder: '#66706c',
  colorTextDescription: '#55605c',
  colorBorder: '#8d958f',
  colorBorderSecondary: '#e2ded4',
  // From colours as dark as ours antd would make grounds that are grey and too dark to read on.
  colorPrimaryBg: '#e1efec',
  colorPrimaryBgHover: '#cfe4df',
  colorPrimaryBorder: '#9cc3bb',
  // What has the focus is seen by more than a shade.
  controlOutline: 'rgb(14 90 82 / 45%)',
  colorInfoBg: '#e6f1f8',
  colorInfoBorder: '#a8cbe3',
  colorSuccessBg: '#e4f3e9',
  colorSuccessBorder: '#9fd0ae',
  colorWarningBg: '#fdf1d8',
  colorWarningBorder: '#e2c17d',
  colorErrorBg: '#fbe9e7',
  colorErrorBorder: '#e3a9a2',
}

const dark: ThemeConfig['token'] = {
  colorPrimary: '#4fb8a8',
  colorLink: '#6fd0c1',
  colorInfo: '#7fb8e0',
  colorSuccess: '#6cc48a',
  colorWarning: '#e9b44c',
  colorError: '#ff8a80',
  colorBgLayout: '#121716',
  colorBgContainer: '#1b2220',
  colorBgElevated: '#232b29',
  colorText: '#eef2f0',
  colorTextSecondary: '#c3ccc8',
  colorTextTertiary: '#aeb8b4',
  colorTextQuaternary: '#98a29e',
  colorTextPlaceholder: '#98a29e',
  colorTextDescription: '#b3bdb9',
  colorBorder: '#6d7874',
  colorBorderSecondary: '#333d3a',
}

const common: ThemeConfig['token'] = {
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', 'PingFang SC', 'Noto Sans SC', 'Microsoft YaHei', sans-serif",
  fontSize: 14,
  borderRadius: 6,
  controlHeight: 34,
  wireframe: false,
  motionDurationMid: '0.12s',
  motionDurationSlow: '0.16s',
  // For people whom moving things trouble, dialogs come and go at once.
  motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
}

/** antd's settings for an appearance. */
export function themeOf(isDark: boolean): ThemeConfig {
  return {
    algorithm: isDark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    cssVar: { key: 'chairside' },
    // Styles come as a file, made when the console is built.
    hashed: false,
    zeroRuntime: true,
    token: { ...common, ...(isDark ? dark : light) },
    components: {
      Button: {
        primaryColor: isDark ? '#08211d' : '#ffffff',
        dangerColor: isDark ? '#250905' : '#ffffff',
        fontWeight: 500,
      },
    },
  }
}

interface AppearanceValue {
  appearance: Appearance
  isDark: boolean
  setAppearance(appearance: Appearance): void
}

const AppearanceContext = createContext<AppearanceValue>({
  appearance: 'system',
  isDark: false,
  setAppearance: () => undefined,
})
const systemDark = matchMedia('(prefers-color-scheme: dark)')

export function AppearanceProvider({ children }: { children: ReactNode }) {
  const [appearance, setState] = useState<Appearance>(
    () => (browserStorage.getItem(storageKey) as Appearance | null) ?? 'system',
  )
  const [isSystemDark, setSystemDark] = useState(systemDark.matches)
  useEffect(() => {
    const follow = () => setSystemDark(systemDark.matches)
    systemDark.addEventListener('change', follow)
    return () => systemDark.removeEventListener('change', follow)
  }, [])
  const setAppearance = useCallback((next: Appearance) => {
    browserStorage.setItem(storageKey, next)
    setState(next)
  }, [])
  const isDark = appearance === 'system' ? isSystemDark : appearance === 'dark'
  useEffect(() => {
    document.documentElement.dataset['appearance'] = isDark ? 'dark' : 'light'
  }, [isDark])
  const value = useMemo(() => ({ appearance, isDark, setAppearance }), [appearance, isDark, setAppearance])
  return <AppearanceContext value={value}>{children}</AppearanceContext>
}

export const useAppearance = () => use(AppearanceContext)
