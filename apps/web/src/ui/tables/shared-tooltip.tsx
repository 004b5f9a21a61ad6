import { Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'

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
