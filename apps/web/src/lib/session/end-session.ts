import { tabChannel } from './tab-channel.ts'
import { tokenStore } from './token-store.ts'

/** Forgets the session here and in all other tabs. Does not call the server. Spec §4. */
export function endSession(): void {
  if (tokenStore.read() === null) return
  tokenStore.clear()
  tabChannel.send('System_Logout')
}
