import type { ReactNode } from 'react'
import classes from './notice-block.module.css'

export type NoticeBlockProps = {
  /** A drawing of ours or an icon. */
  picture?: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
  /** Level of the heading. @default 2 */
  level?: 1 | 2
  /** Stands where a list would, in a frame like its own. @default false */
  isFramed?: boolean
}

/**
 * Says in place of content why there is none, and what to do. For empty lists, failures and missing pages.
 */
export function NoticeBlock({ picture, title, text, action, level = 2, isFramed = false }: NoticeBlockProps) {
  const Heading = `h${level}` as const
  return (
    <div className={classes.block} data-framed={isFramed || undefined}>
      {picture && <div className={classes.picture}>{picture}</div>}
      <Heading className={classes.title}>{title}</Heading>
      {text && <div className={classes.text}>{text}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
