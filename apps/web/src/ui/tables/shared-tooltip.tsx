import { Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/**
 * One tooltip for all icons of a long list: it says the `aria-label` of what is pointed at or focused and
 * marked with `data-hint`. A tooltip for each icon takes longer to make than everything else in its row.
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
