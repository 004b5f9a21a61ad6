import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { readThemeCookie, writeThemeCookie } from './theme-cookie.ts'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('theme_channel')

/**
 * Keeps the chosen theme in this browser, for all its tabs. In a cookie, because logging out clears the local
 * storage. See docs/BEHAVIOUR.md#theme.
 */
export const themeChoice: MantineColorSchemeManager = {
  get: readThemeCookie,
  // Mantine also calls it for a choice of another tab: sent on, it would go back and forth for ever.
  set(choice) {
    if (choice === readThemeCookie()) return
    writeThemeCookie(choice)
    channel?.postMessage(choice)
  },
  subscribe(onUpdate) {
    if (channel) channel.onmessage = ({ data }: MessageEvent<MantineColorScheme>) => onUpdate(data)
  },
  unsubscribe() {
    if (channel) channel.onmessage = null
  },
  clear: () => writeThemeCookie('auto'),
}
