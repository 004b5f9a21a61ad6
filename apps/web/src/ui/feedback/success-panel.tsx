import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './success-panel.module.css'

export type SuccessPanelProps = {
  title: string
  text?: string
  /** A link to continue with. */
  children?: ReactNode
}

/** Says that something succeeded and where to continue. */
export function SuccessPanel({ title, text, children }: SuccessPanelProps) {
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
