import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import {
  type BlockerFunction,
  Link,
  NavigationType,
  Outlet,
  ScrollRestoration,
  useBlocker,
  useLocation,
  useNavigationType,
} from 'react-router'
import { LogOutButton, menuScreens, UserMenu } from '#features/session/user-menu.tsx'
import { type Question, confirmLeaving, isGuarded, useLeaveGuard } from '#lib/forms/confirm.ts'
import { callsInFlight } from '#lib/http/busy-counter.ts'
import { uploadStop } from '#lib/http/client.ts'
import { readConfig } from '#lib/http/config.ts'
import { isUploading } from '#lib/http/use-upload.ts'
import type { Session } from '#lib/session/use-session.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeSwitch } from '#ui/layout/theme-switch.tsx'
import { patterns } from './paths.ts'
import { clearOnLogOut, queryClient } from './query-client.ts'
import classes from './shell.module.css'

type NavigationItem = { to: string; label: string; screens: RegExp }

/** `screens`: the addresses at which an item is marked as the current one. */
const item = (to: string, label: string, screens = new RegExp(`^${to}`)): NavigationItem => ({
  to,
  label,
  screens,
})
const userLinks = [item(patterns.home, 'Home', /^\/(?:home(?:\/(?:file|receipt).*)?)?$/)]
const adminLinks = [
  ...userLinks,
  item(patterns.dictionaries, 'Data dictionaries', /^\/home\/dictionar/),
  item(patterns.companies, 'Companies', /^\/home\/compan/),
]

/** What all screens that need a session have in common. Visitors do not load it. */
export function LoggedIn({ session }: { session: Session }) {
  useEffect(clearOnLogOut, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Shell session={session} />
    </QueryClientProvider>
  )
}

/** The frame of all screens that need a session. See docs/BEHAVIOUR.md#frame. */
function Shell({ session }: { session: Session }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  const navigationType = useNavigationType()
  // A page that was just loaded begins at its top, so that the first Tab reaches the skip link.
  const wasJustLoaded = useRef(navigationType === NavigationType.Pop)
  const showScreen = useEffectEvent(() => {
    if (wasJustLoaded.current) {
      wasJustLoaded.current = false
      return
    }
    // A press on a link closed the drawer. If it is open, it was opened again while the screen was loading.
    if (isOpen && navigationType !== NavigationType.Pop) return
    close()
    focusContent()
  })
  useEffect(() => showScreen(), [pathname])
  return (
    <>
      <a href="#content" className={classes.skip} onClick={skipToContent}>
        Skip to content
      </a>
      <header className={classes.bar}>
        <BusyBar />
        <Link to={patterns.home} className={classes.brand} aria-label="Veridict">
          <Logo size={28} />
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          <NavigationLinks items={session.isAdmin ? adminLinks : userLinks} className={classes.link} />
        </nav>
        <div className={classes.user}>
          <UserMenu session={session} />
        </div>
        <Burger
          opened={isOpen}
          onClick={toggle}
          color="var(--veridict-on-header)"
          size="sm"
          className={classes.burger}
          aria-label="Menu"
        />
      </header>
      <Drawer
        opened={isOpen}
        onClose={close}
        title={session.userName}
        position="right"
        size={300}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <MobileMenu session={session} onChoose={close} />
      </Drawer>
      <UploadStopNote />
      <main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <VersionNote />
      <OfflineNote />
      <LeaveBlocker />
      <ScrollRestoration />
    </>
  )
}

/** Moves the focus by script: a link to `#content` would add an entry to the history past the router. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** A screen reader starts at the top of a new screen, unless the screen focused one of its inputs. */
function focusContent(): void {
  const content = document.getElementById('content')
  if (content !== null && !content.contains(document.activeElement)) content.focus({ preventScroll: true })
}

/** The links of the top bar, on phones. `onChoose` is also called for a link to the current screen. */
function MobileMenu({ session, onChoose }: { session: Session; onChoose: () => void }) {
  const others = menuScreens(session).map(({ to, label }) => item(to, label))
  return (
    <nav aria-label="Menu" className={classes.drawer}>
      <NavigationLinks
        items={[...(session.isAdmin ? adminLinks : userLinks), ...others]}
        className={classes.drawerLink}
        onChoose={onChoose}
      />
      <LogOutButton className={classes.drawerLink} />
      <div className={classes.drawerTheme}>
        <ThemeSwitch />
      </div>
    </nav>
  )
}

type NavigationLinksProps = { items: NavigationItem[]; className: string; onChoose?: () => void }

function NavigationLinks({ items, className, onChoose }: NavigationLinksProps) {
  const { pathname } = useLocation()
  return items.map(({ to, label, screens }) => (
    <Link
      key={to}
      to={to}
      className={className}
      onClick={onChoose}
      aria-current={screens.test(pathname) ? 'page' : undefined}
    >
      {label}
    </Link>
  ))
}

/** The sentence of maintenance mode, or of the pause of the company. */
function UploadStopNote() {
  const sentence = useSyncExternalStore(uploadStop.subscribe, uploadStop.get)
  return (
    <div role="status" className={classes.stopped}>
      {sentence !== null && <p>{sentence}</p>}
    </div>
  )
}

/** For questions to whoever operates the portal. */
function VersionNote() {
  const [version, setVersion] = useState<string>()
  useEffect(() => void readConfig().then((config) => setVersion(config.version), console.error), [])
  return <footer className={classes.version}>{version && `Veridict ${version}`}</footer>
}

/** Without a connection, lists wait silently for it: they are neither read nor reported as failed. */
function OfflineNote() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  return (
    <div role="status" className={classes.offline}>
      {!isOnline && <p>{noticeMessages.offline}</p>}
    </div>
  )
}

/** A line along the lower edge of the top bar while any call is in flight. */
function BusyBar() {
  const isBusy = useSyncExternalStore(callsInFlight.subscribe, () => callsInFlight.get() > 0)
  return <div className={classes.busy} data-busy={isBusy || undefined} aria-hidden="true" />
}

const uploadInProgress: Question = {
  title: 'Upload in progress',
  text: dialogMessages.leaveUploadText,
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
}

/** Navigation to the login page is never blocked: the session is over, so nothing can be saved any more. */
const shouldBlock: BlockerFunction = ({ currentLocation, nextLocation }) =>
  isGuarded() &&
  nextLocation.pathname !== currentLocation.pathname &&
  nextLocation.pathname !== patterns.login

/** The router supports one blocker only: for uploads and `useLeaveGuard`. See docs/BEHAVIOUR.md#forms. */
function LeaveBlocker() {
  const blocker = useBlocker(shouldBlock)
  useLeaveGuard(useSyncExternalStore(isUploading.subscribe, isUploading.get), uploadInProgress)
  useEffect(() => {
    if (blocker.state === 'blocked')
      void confirmLeaving().then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  return null
}
