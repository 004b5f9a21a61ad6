import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/schibsted-grotesk/wght.css'
import '#app/fonts.css'
import '#app/mantine-login.css'
import '#app/tokens.css'
import '#app/global.css'
import { type MantineColorScheme, type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import { type ComponentType, lazy, StrictMode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { finishSignOn } from '#features/session/single-sign-on.ts'
import { loadEntryCalls } from '#features/session/use-entry-form.ts'
import { followTabs } from '#lib/session/tab-channel.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { useSession } from '#lib/session/use-session.ts'
import { readThemeCookie, writeThemeCookie } from '#lib/theme/theme-cookie.ts'
import { Login } from '#screens/login.tsx'
import { BrokenScreenBoundary } from './broken-screen.tsx'
import { keepFocus } from './keep-focus.ts'
import { patterns } from './paths.ts'
import { resolveThemeVariables, theme } from './theme.ts'

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('theme_channel')

/** In a cookie, because logging out clears the local storage. See docs/BEHAVIOUR.md#theme. */
const themeChoice: MantineColorSchemeManager = {
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

const loadRoutes = () => import('./router.tsx')
const loadShell = () => import('./shell.tsx')
const loadHome = () => import('#screens/user-home.tsx')
const RoutedApp = lazy(async () => {
  const { RoutedApp, leaveLogin } = await loadRoutes()
  await leaveLogin()
  return { default: RoutedApp }
})
const Overlays = lazy<ComponentType>(() =>
  import('./overlays.tsx').then(
    (part) => ({ default: part.Overlays }),
    (error: unknown) => {
      // The next part that is needed fails to load too, and shows the broken screen.
      console.error(error)
      return { default: () => null }
    },
  ),
)

function App({ beginsAtLogin }: { beginsAtLogin: boolean }) {
  const isVisitor = useSession() === null
  const [hasInput, setHasInput] = useState(false)
  useEffect(followTabs, [])
  useEffect(keepFocus, [])
  useEffect(() => (isVisitor ? loadOnFirstInput(() => setHasInput(true)) : keepSession()), [isVisitor])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveThemeVariables}
      defaultColorScheme="auto"
      colorSchemeManager={themeChoice}
    >
      <BrokenScreenBoundary>
        <LoginOrRoutes beginsAtLogin={beginsAtLogin} isVisitor={isVisitor} />
      </BrokenScreenBoundary>
      <Suspense fallback={null}>{(hasInput || !isVisitor) && <Overlays />}</Suspense>
    </MantineProvider>
  )
}

/** A visit that begins at the login page loads the router with its first input only. */
function LoginOrRoutes({ beginsAtLogin, isVisitor }: { beginsAtLogin: boolean; isVisitor: boolean }) {
  const [hasRoutes, setHasRoutes] = useState(!beginsAtLogin)
  if (!isVisitor && !hasRoutes) setHasRoutes(true)
  // While the router is loaded for a login, the login page stays.
  const isRouted = useDeferredValue(hasRoutes)
  return isRouted ? <RoutedApp /> : <Login />
}

/** Waits for the first move, key or touch: /login stays small. Not for administrators, who are few. */
function loadOnFirstInput(onInput: () => void): () => void {
  const begin = () => {
    stop()
    onInput()
    for (const load of [loadEntryCalls, loadRoutes, loadShell, loadHome])
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

/** Keeps the session alive until the returned function is called. */
function keepSession(): () => void {
  const started = import('#lib/session/keep-fresh.ts').then(({ keepSessionFresh }) => keepSessionFresh())
  return () => void started.then((stop) => stop())
}

function start(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  finishSignOn()
  const beginsAtLogin = 'beginsAtLogin' in document.documentElement.dataset
  if (!beginsAtLogin) void loadRoutes()
  // The state of the login page says where the visit continues, and is kept.
  else if (location.pathname !== patterns.login) history.replaceState(null, '', patterns.login)
  if (tokenStore.read() !== null) void loadShell()
  // At once: the prerendered login page is replaced before the browser or its user notices.
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App beginsAtLogin={beginsAtLogin} />
      </StrictMode>,
    ),
  )
}

start()
