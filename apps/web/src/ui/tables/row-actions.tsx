import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import classes from './row-actions.module.css'

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>
export type RowAction = { label: string; Icon: Icon; tone?: 'danger' } & (
  | { to: string }
  | { onClick: () => void }
)

/** The actions of a row, as icons with tooltips. `of` names the row for screen readers. */
export function RowActions({ of, actions }: { of: string; actions: RowAction[] }) {
  return (
    <div className={classes.actions} role="group" aria-label={`Actions for ${of}`}>
      {actions.map((action) => {
        const { label, Icon, tone } = action
        const look = {
          variant: 'subtle',
          color: tone === 'danger' ? 'brand' : 'gray.7',
          size: 36,
          'aria-label': label,
        } as const
        const icon = <Icon size={19} stroke={1.7} aria-hidden />
        return (
          <Tooltip key={label} label={label}>
            {'to' in action ? (
              <ActionIcon component={Link} to={action.to} {...look}>
                {icon}
              </ActionIcon>
            ) : (
              <ActionIcon {...look} onClick={action.onClick}>
                {icon}
              </ActionIcon>
            )}
          </Tooltip>
        )
      })}
    </div>
  )
}
