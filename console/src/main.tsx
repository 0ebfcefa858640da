import 'virtual:antd-styles.css'
import { RouterProvider } from '@tanstack/react-router'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './app/frame.tsx'
import { router } from './app/router.tsx'
import { mayRetry } from './kit/call.ts'
import { forgiveDoubleClicks } from './kit/double-clicks.ts'
import { AppearanceProvider } from './kit/theme.tsx'
import { LanguageProvider } from './kit/language.tsx'
import { joinOtherTabs } from './kit/other-tabs.ts'
import './kit/style.css'
import './kit/list.css'

/** Without a connection a call fails at once and says so: it is not kept back, to be made when nobody expects it any more. */
const networkMode = 'always'
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      retry: mayRetry,
      staleTime: 5000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
    mutations: { networkMode },
  },
})

joinOtherTabs()
forgiveDoubleClicks()

const root = document.getElementById('console')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <AppearanceProvider>
            <Frame>
              <RouterProvider router={router} />
            </Frame>
          </AppearanceProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
