import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { onlineManager } from '@tanstack/react-query'
import { adminScreenTitles } from '@veridict/contract/messages/admin-screens'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { sessionMessages } from '@veridict/contract/messages/session'
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { Link, NavigationType, Outlet, ScrollRestoration, useLocation, useNavigationType } from 'react-router'
import { LogOutButton, UserMenu } from '#features/session/user-menu.tsx'
import { callsInFlight } from '#lib/http/busy-counter.ts'
import { readConfig } from '#lib/http/config.ts'
import type { Session } from '#lib/session/use-session.ts'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeSwitch } from '#ui/layout/theme-switch.tsx'
import { patterns } from './paths.ts'
import { LeaveBlocker } from './leave-blocker.tsx'
import classes from './shell.module.css'

type NavigationItem = { to: string; label: string; screens: RegExp }

/** `screens`: the addresses at which an item is marked as the current one. */
const userLinks: NavigationItem[] = [
  { to: patterns.home, label: 'Home', screens: /^\/(?:home(?:\/(?:file|receipt).*)?)?$/ },
]
const adminLinks: NavigationItem[] = [
  ...userLinks,
  { to: patterns.dictionaries, label: 'Data dictionaries', screens: /^\/home\/dictionar/ },
  { to: patterns.companies, label: 'Companies', screens: /^\/home\/compan/ },
]
const settingsLink: NavigationItem = {
  to: patterns.settings,
  label: 'Manage administrators',
  screens: /^\/home\/settings/,
}
const mailsLink: NavigationItem = {
  to: patterns.mails,
  label: adminScreenTitles.mails,
  screens: /^\/home\/mails/,
}

const auditLink: NavigationItem = {
  to: patterns.auditTrail,
  label: adminScreenTitles.auditTrail,
  screens: /^\/home\/auditTrail/,
}

const sessionsLink: NavigationItem = {
  to: patterns.sessions,
  label: sessionMessages.sessionsTitle,
  screens: /^\/home\/sessions/,
}

/**
 * The frame of all screens that need a session: top bar, mobile drawer, content. See
 * docs/BEHAVIOUR.md#frame.
 */
export function Shell({ session }: { session: Session }) {
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
          <UserMenu session={session} paths={patterns} />
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
  const items = session.isAdmin
    ? [...adminLinks, settingsLink, mailsLink, auditLink, sessionsLink]
    : [...userLinks, sessionsLink]
  return (
    <nav aria-label="Menu" className={classes.drawer}>
      <NavigationLinks items={items} className={classes.drawerLink} onChoose={onChoose} />
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
