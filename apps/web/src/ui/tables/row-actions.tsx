import { ActionIcon, Tooltip } from '@mantine/core'
import { type ComponentType, type ReactNode, useState } from 'react'
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

/** The same of plain elements, for a long list inside a `SharedTooltip`. */
export function PlainRowActions({ of, actions }: { of: string; actions: RowAction[] }) {
  return (
    <div className={classes.plain} role="group" aria-label={`Actions for ${of}`}>
      {actions.map((action) => {
        const { label, Icon } = action
        const icon = <Icon size={19} stroke={1.7} aria-hidden />
        const shared = { className: classes.action, 'aria-label': label, 'data-hint': true }
        return 'to' in action ? (
          <Link {...shared} key={label} to={action.to}>
            {icon}
          </Link>
        ) : (
          <button {...shared} key={label} type="button" onClick={action.onClick}>
            {icon}
          </button>
        )
      })}
    </div>
  )
}

/**
 * One tooltip for all icons of a long list: shows the `aria-label` of the hovered or focused element with
 * `data-hint`. A tooltip for each icon takes longer to render than the rest of its row.
 */
export function SharedTooltip({ children }: { children: ReactNode }) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const show = (event: { target: EventTarget }) =>
    setTarget((event.target as Element).closest<HTMLElement>('[data-hint]'))
  const hide = () => setTarget(null)
  return (
    <div onPointerOver={show} onPointerLeave={hide} onClick={hide} onFocus={show} onBlur={hide}>
      {children}
      {target?.isConnected && <Tooltip target={target} label={target.getAttribute('aria-label')} opened />}
    </div>
  )
}
