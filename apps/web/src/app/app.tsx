import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { noticeLimits } from '@veridict/contract/limits'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router/dom'
import { keepSessionFresh } from '#lib/session/keep-fresh.ts'
import { clearOnLogOut, queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

/** The whole page: theme, cache, dialogs, notifications, screens. */
export function App() {
  useEffect(keepSessionFresh, [])
  useEffect(clearOnLogOut, [])
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} forceColorScheme="light">
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
