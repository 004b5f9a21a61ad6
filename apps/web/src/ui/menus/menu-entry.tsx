import { Menu, type MenuItemProps } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { useId } from 'react'
import classes from './menu-entry.module.css'

export type MenuEntryProps = Pick<MenuItemProps, 'disabled'> & {
  label: string
  /** What the entry is for, in a second line. */
  note: string
  Icon: TablerIcon
  onClick: () => void
}

/** The name is the first line, and the second its description, so screen readers need not read it again. */
export function MenuEntry({ label, note, Icon, ...item }: MenuEntryProps) {
  const noteId = useId()
  return (
    <Menu.Item {...item} aria-describedby={noteId} leftSection={<Icon size={20} stroke={1.6} aria-hidden />}>
      {label}
      <span id={noteId} className={classes.note} aria-hidden="true">
        {note}
      </span>
    </Menu.Item>
  )
}
