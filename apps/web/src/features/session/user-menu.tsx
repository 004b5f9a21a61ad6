import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import {
  IconActivityHeartbeat,
  IconCheck,
  IconChevronDown,
  IconDevices,
  IconHistory,
  IconLogout,
  IconMailX,
  IconUsersGroup,
} from '@tabler/icons-react'
import { logOut } from '@veridict/contract/api/session'
import { adminScreenTitles } from '@veridict/contract/messages/admin-screens'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { confirmLeaving } from '#lib/forms/confirm.ts'
import { call } from '#lib/http/client.ts'
import { endSession } from '#lib/session/tab-channel.ts'
import { initialsOf, type Session } from '#lib/session/use-session.ts'
import { themes } from '#ui/layout/theme-switch.tsx'
import classes from './user-menu.module.css'

const ofAdministrators = [
  { to: paths.settings, label: 'Manage administrators', Icon: IconUsersGroup },
  { to: paths.operation, label: adminScreenTitles.operation, Icon: IconActivityHeartbeat },
  { to: paths.mails, label: adminScreenTitles.mails, Icon: IconMailX },
  { to: paths.auditTrail, label: adminScreenTitles.auditTrail, Icon: IconHistory },
]

/** The screens to which the menu leads; on phones they are in the drawer. */
export const menuScreens = ({ isAdmin }: Session) => [
  ...(isAdmin ? ofAdministrators : []),
  { to: paths.sessions, label: sessionMessages.sessionsTitle, Icon: IconDevices },
]

export function UserMenu({ session }: { session: Session }) {
  return (
    <Menu width={252}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(session.userName)}
          </span>
          <span className={classes.name}>{session.userName}</span>
          <IconChevronDown size={16} stroke={2} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.email}</Menu.Label>
        {menuScreens(session).map(({ to, label, Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<Icon size={17} stroke={1.7} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
        <ThemeItems />
        <Menu.Item
          leftSection={<IconLogout size={17} stroke={1.7} aria-hidden />}
          onClick={() => void confirmAndLogOut()}
        >
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Divider />
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(choice) => setColorScheme(choice as MantineColorScheme)}
      >
        <Menu.Label>Theme</Menu.Label>
        {themes.map(({ value, label, Icon }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            classNames={{ itemIndicator: classes.check }}
            closeMenuOnClick={false}
            checkIcon={<IconCheck size={16} stroke={2} aria-hidden />}
            rightSection={<Icon size={17} stroke={1.7} aria-hidden />}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
    </>
  )
}

/** Ends the session in this browser even if the call fails: computers are shared. */
async function confirmAndLogOut(): Promise<void> {
  if (!(await confirmLeaving())) return
  try {
    await call(logOut)
  } catch (error) {
    console.error('The server did not receive the logout.', error)
  } finally {
    endSession()
  }
}

export function LogOutButton({ className }: { className?: string }) {
  return (
    <button type="button" className={className} onClick={() => void confirmAndLogOut()}>
      Log out
    </button>
  )
}
