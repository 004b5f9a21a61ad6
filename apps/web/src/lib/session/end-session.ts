import { tabChannel } from './tab-channel.ts'
import { tokenStore } from './token-store.ts'

/** Removes the session in this tab and all others. Does not call the server. */
export function endSession(): void {
  if (tokenStore.read() === null) return
  tokenStore.clear()
  tabChannel.send('System_Logout')
}
