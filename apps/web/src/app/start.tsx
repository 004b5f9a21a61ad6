import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/schibsted-grotesk/wght.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '#app/tokens.css'
import '#app/global.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { noticeLimits } from '@veridict/contract/limits'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { keepSessionFresh } from '#lib/session/keep-fresh.ts'
import { themeChoice } from '#lib/theme/theme-choice.ts'
import { clearOnLogOut, queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { resolveThemeVariables, theme } from './theme.ts'

function App() {
  useEffect(keepSessionFresh, [])
  useEffect(clearOnLogOut, [])
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveThemeVariables}
        defaultColorScheme="auto"
        colorSchemeManager={themeChoice}
      >
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
        <Notifications
          position="bottom-right"
          limit={noticeLimits.maxAtOnce}
          autoClose={noticeLimits.autoClose}
        />
      </MantineProvider>
    </QueryClientProvider>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
