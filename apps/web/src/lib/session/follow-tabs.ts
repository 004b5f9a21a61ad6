import { tabChannel } from './tab-channel.ts'
import { tokenStore } from './token-store.ts'

/**
 * Logs in, out and refreshes as other tabs of this browser do. Returns a function that stops it.
 * See docs/BEHAVIOUR.md#sessions-and-passwords.
 */
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
