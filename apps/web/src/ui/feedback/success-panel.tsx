import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './success-panel.module.css'

export type SuccessPanelProps = {
  title: string
  text?: string
  /** What came after it is not good: a cross instead of the tick. @default false */
  isBad?: boolean
  children?: ReactNode
}

export function SuccessPanel({ title, text, isBad = false, children }: SuccessPanelProps) {
  const Icon = isBad ? IconCircleX : IconCircleCheck
  return (
    <div role="status" className={classes.panel} data-bad={isBad || undefined}>
      <Icon size={26} stroke={1.7} aria-hidden />
      <div>
        <strong>{title}</strong>
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  )
}
