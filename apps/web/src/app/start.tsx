import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '@fontsource-variable/schibsted-grotesk/wght.css'
import '#app/fonts.css'
import '#app/mantine-login.css'
import '#app/tokens.css'
import '#app/global.css'
import { MantineProvider } from '@mantine/core'
import { type ComponentType, StrictMode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { finishSignOn } from '#features/session/single-sign-on.ts'
import { followTabs } from '#lib/session/follow-tabs.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { useSession } from '#lib/session/use-session.ts'
import { themeChoice } from '#lib/theme/theme-choice.ts'
import { Login } from '#screens/login.tsx'
import { BrokenScreenBoundary } from './broken-screen.tsx'
import { loadOnFirstInput, loadParts } from './parts.ts'
import { patterns } from './paths.ts'
import { resolveThemeVariables, theme } from './theme.ts'

function App({ beginsAtLogin }: { beginsAtLogin: boolean }) {
  const isVisitor = useSession() === null
  const [hasInput, setHasInput] = useState(false)
  useEffect(followTabs, [])
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
      {(hasInput || !isVisitor) && <LazyOverlays />}
    </MantineProvider>
  )
}

function LazyOverlays() {
  const [Overlays, setOverlays] = useState<ComponentType | null>(null)
  useEffect(() => {
    // Without them, the next part that is needed fails to load too, and shows the broken screen.
    loadParts.overlays().then((part) => setOverlays(() => part.Overlays), console.error)
  }, [])
  return Overlays && <Overlays />
}

/**
 * A visit that begins at the login page shows it without the router, which is loaded with the first input.
 * After the login, and everywhere else, the router shows the screens.
 */
function LoginOrRoutes({ beginsAtLogin, isVisitor }: { beginsAtLogin: boolean; isVisitor: boolean }) {
  const [RoutedApp, setRoutedApp] = useState<ComponentType | null>(null)
  const [failure, setFailure] = useState<{ error: unknown } | null>(null)
  const needsRoutes = !beginsAtLogin || !isVisitor
  useEffect(() => {
    if (!needsRoutes) return
    loadParts.routedApp().then(
      (part) => setRoutedApp(() => part.RoutedApp),
      (error: unknown) => setFailure({ error }),
    )
  }, [needsRoutes])
  if (failure !== null) throw failure.error
  if (RoutedApp !== null) return <RoutedApp />
  return beginsAtLogin ? <Login /> : null
}

/** Keeps the session alive until the returned function is called. */
function keepSession(): () => void {
  let stop: (() => void) | null = null
  let isOver = false
  void loadParts.sessionKeeper().then(({ keepSessionFresh }) => {
    if (!isOver) stop = keepSessionFresh()
  })
  return () => {
    isOver = true
    stop?.()
  }
}

function start(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  finishSignOn()
  const beginsAtLogin = 'beginsAtLogin' in document.documentElement.dataset
  if (!beginsAtLogin) void loadParts.routedApp()
  // The state of the login page says where the visit continues, and is kept.
  else if (location.pathname !== patterns.login) history.replaceState(null, '', patterns.login)
  if (tokenStore.read() !== null) void loadParts.loggedIn()
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
