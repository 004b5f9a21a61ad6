import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

/** Seconds that the browser keeps the choice: the longest that browsers keep a cookie. Ours. */
const keptFor = 400 * 24 * 3600

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('theme_channel')

/** The attribute that `before-paint.js` fills from the cookie. */
const current = (): MantineColorScheme =>
  (document.documentElement.dataset.themeChoice ?? 'auto') as MantineColorScheme

/**
 * Keeps the chosen theme in this browser, for all its tabs. A cookie, because logging out clears the local
 * storage. See docs/BEHAVIOUR.md#theme.
 */
export const themeChoice: MantineColorSchemeManager = {
  get: current,
  // Mantine also calls it for a choice of another tab: sent on, it would go back and forth for ever.
  set(choice) {
    if (choice === current()) return
    document.documentElement.dataset.themeChoice = choice
    document.cookie = `theme=${choice}; Path=/; Max-Age=${keptFor}; SameSite=Strict`
    channel?.postMessage(choice)
  },
  subscribe(onUpdate) {
    if (channel) channel.onmessage = ({ data }: MessageEvent<MantineColorScheme>) => onUpdate(data)
  },
  unsubscribe() {
    if (channel) channel.onmessage = null
  },
  clear: () => themeChoice.set('auto'),
}
