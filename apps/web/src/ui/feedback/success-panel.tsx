import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './success-panel.module.css'

/** Says in the page that something was done, and where to go from here. */
export function SuccessPanel({
  title,
  text,
  children,
}: {
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div role="status" className={classes.panel}>
      <IconCircleCheck size={26} stroke={1.7} aria-hidden />
      <div>
        <strong>{title}</strong>
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  )
}
