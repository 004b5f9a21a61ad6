import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './success-panel.module.css'

export type SuccessPanelProps = {
  title: string
  text?: string
  /** Without the colour of success: what came after it is not good. @default false */
  isNeutral?: boolean
  /** A link to continue with. */
  children?: ReactNode
}

/** Says that something succeeded and where to continue. */
export function SuccessPanel({ title, text, isNeutral = false, children }: SuccessPanelProps) {
  return (
    <div role="status" className={classes.panel} data-neutral={isNeutral || undefined}>
      <IconCircleCheck size={26} stroke={1.7} aria-hidden />
      <div>
        <strong>{title}</strong>
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  )
}
