import { tokenStore } from './token-store.ts'

/** Messages between the tabs of one browser. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export type TabEvent = 'System_Logout' | 'Update_Token'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('auth_channel')

export const tabChannel = {
  send: (event: TabEvent): void => channel?.postMessage({ event }),
  /** Receives what other tabs send, never what this one sends. */
  subscribe(listener: (event: TabEvent) => void): () => void {
    const receive = (message: MessageEvent<{ event?: TabEvent }>) => {
      if (message.data?.event) listener(message.data.event)
    }
    channel?.addEventListener('message', receive)
    return () => channel?.removeEventListener('message', receive)
  },
}

/** The returned function stops it. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export function followTabs(): () => void {
  const onStorage = ({ storageArea }: StorageEvent) => {
    if (storageArea === localStorage) tokenStore.notifyChange()
  }
  const unsubscribe = tabChannel.subscribe((event) =>
    event === 'System_Logout' ? tokenStore.clear() : tokenStore.notifyChange(),
  )
  addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    removeEventListener('storage', onStorage)
  }
}

/** Removes the session in this tab and all others. Does not call the server. */
export function endSession(): void {
  if (tokenStore.read() === null) return
  tokenStore.clear()
  tabChannel.send('System_Logout')
}
