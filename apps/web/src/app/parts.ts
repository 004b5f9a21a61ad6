import { loadEntryCalls } from '#features/session/use-entry-form.ts'

/** The parts of the page that /login does without. Each function loads its part once. */
export const loadParts = {
  routedApp: () => import('./routed-app.tsx'),
  loggedIn: () => import('./logged-in.tsx'),
  overlays: () => import('./overlays.tsx'),
  userHome: () => import('#screens/user-home.tsx'),
  sessionKeeper: () => import('#lib/session/keep-fresh.ts'),
} as const

/**
 * Loads what a login needs next, when the visitor moves the mouse, types or touches: /login itself stays
 * small, and the home screen is there when the password is sent. Not for administrators, who are few: their
 * home screen is not for clerks. Returns a function that stops waiting.
 */
export function loadOnFirstInput(onInput: () => void): () => void {
  const begin = () => {
    stop()
    onInput()
    for (const load of [loadEntryCalls, loadParts.routedApp, loadParts.loggedIn, loadParts.userHome])
      // A failure shows when the part is needed.
      load().catch(() => {})
  }
  const stop = () => {
    for (const event of firstInputs) removeEventListener(event, begin, true)
  }
  for (const event of firstInputs) addEventListener(event, begin, true)
  return stop
}

const firstInputs = ['pointermove', 'pointerdown', 'keydown', 'input'] as const
