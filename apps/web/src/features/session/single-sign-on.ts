import { signOnMessages as texts } from '@veridict/contract/messages/single-sign-on'
import { signOnParameter } from '@veridict/contract/notation/single-sign-on'
import { tokenStore } from '#lib/session/token-store.ts'
import { createStore } from '#lib/store.ts'
import { loadEntryCalls } from './use-entry-form.ts'

/** Where the visit continues, while the browser is at the provider. */
const VISIT = 'signOnVisit'

/** The single sign-on that led to this page. */
export const signOn = createStore<{ isPending: boolean; failure: string | null }>({
  isPending: false,
  failure: null,
})

/** Call this before the page is left for the provider: the state of the history is lost there. */
export const keepVisit = (): void => sessionStorage.setItem(VISIT, JSON.stringify(history.state))

/** If a single sign-on led to this page, continues the visit and exchanges what the server set. */
export function finishSignOn(): void {
  const outcome = new URLSearchParams(location.search).get(signOnParameter)
  if (outcome === null) return
  const visit = sessionStorage.getItem(VISIT)
  sessionStorage.removeItem(VISIT)
  history.replaceState(visit === null ? null : JSON.parse(visit), '', location.pathname)
  if (outcome === 'done') void exchange()
  else signOn.set({ isPending: false, failure: failures.get(outcome) ?? texts.failed })
}

const failures: ReadonlyMap<string, string> = new Map([
  ['refused', texts.refused],
  ['unavailable', texts.unavailable],
])

async function exchange(): Promise<void> {
  if (tokenStore.read() !== null) return
  signOn.set({ isPending: true, failure: null })
  try {
    const { sendSignOn } = await loadEntryCalls()
    await sendSignOn()
    signOn.set({ isPending: false, failure: null })
  } catch (error) {
    console.error(error)
    signOn.set({ isPending: false, failure: texts.failed })
  }
}
