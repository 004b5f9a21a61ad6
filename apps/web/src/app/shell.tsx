import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect } from 'react'
import { Link, NavLink, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { LogOutButton } from '#features/session/log-out-button.tsx'
import { UserMenu } from '#features/session/user-menu.tsx'
import type { Session } from '#lib/session/use-session.ts'
import { Logo } from '#ui/logo.tsx'
import { BusyBar } from './busy-bar.tsx'
import { patterns } from './paths.ts'
import { LeaveBlocker } from './leave-blocker.tsx'
import classes from './shell.module.css'

const userLinks = [{ to: patterns.home, label: 'Home' }]
const adminLinks = [...userLinks, { to: patterns.dictionaries, label: 'Data dictionaries' }, { to: patterns.companies, label: 'Companies' }]

/** The frame of all screens of people who are logged in: top bar, mobile drawer, content. Spec §2. */
export function Shell({ session }: { session: Session }) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { pathname } = useLocation()
  useEffect(close, [pathname, close])
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.bar}>
        <BusyBar />
        <Link to={patterns.home} className={classes.brand} aria-label="Veridict, go to home">
          <Logo size={28} />
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          {(session.isAdmin ? adminLinks : userLinks).map(({ to, label }) => (
            <NavLink key={to} to={to} end={to === patterns.home} className={classes.link}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={classes.user}>
          <UserMenu session={session} settingsPath={patterns.settings} />
        </div>
        <Burger opened={isOpen} onClick={toggle} color="#fff" size="sm" className={classes.burger} aria-label="Menu" />
      </header>
      <Drawer
        opened={isOpen}
        onClose={close}
        title={session.userName}
        position="right"
        size={300}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <MobileMenu session={session} />
      </Drawer>
      <main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <LeaveBlocker />
      <ScrollRestoration />
    </>
  )
}

/** Repeats what the top bar has no room for. Spec §2. */
function MobileMenu({ session }: { session: Session }) {
  const links = session.isAdmin ? [...adminLinks, { to: patterns.settings, label: 'Manage administrators' }] : userLinks
  return (
    <nav aria-label="Menu" className={classes.drawer}>
      {links.map(({ to, label }) => (
        <NavLink key={to} to={to} end={to === patterns.home} className={classes.drawerLink}>
          {label}
        </NavLink>
      ))}
      <LogOutButton className={classes.drawerLink} />
    </nav>
  )
}
