/** News between the tabs of one browser. Spec §4. */
export type TabEvent = 'System_Logout' | 'Update_Token'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('auth_channel')

export const tabChannel = {
  send: (event: TabEvent): void => channel?.postMessage({ event }),
  /** Hears what other tabs send, never what this one does. */
  subscribe(listener: (event: TabEvent) => void): () => void {
    const hear = (message: MessageEvent<{ event?: TabEvent }>) => {
      if (message.data?.event) listener(message.data.event)
    }
    channel?.addEventListener('message', hear)
    return () => channel?.removeEventListener('message', hear)
  },
}
