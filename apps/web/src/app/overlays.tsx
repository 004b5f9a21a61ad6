import '#app/mantine.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { noticeLimits } from '@veridict/contract/limits'
import { useEffect } from 'react'
import { dialogsAreShown } from '#lib/forms/confirm.ts'
import { queryClient } from './query-client.ts'

export function Overlays() {
  useEffect(dialogsAreShown, [])
  return (
    <QueryClientProvider client={queryClient}>
      <ModalsProvider>{null}</ModalsProvider>
      <Notifications
        position="bottom-right"
        limit={noticeLimits.maxAtOnce}
        autoClose={noticeLimits.autoClose}
        notificationMaxHeight="60vh"
      />
    </QueryClientProvider>
  )
}
