import type { ReactNode } from 'react'
import classes from './notice-block.module.css'

export type NoticeBlockProps = {
  /** A `SheetPicture` or an icon. */
  picture?: ReactNode
  title: string
  text?: ReactNode
  action?: ReactNode
  /** Heading level. @default 2 */
  level?: 1 | 2
  /** Has the frame of the list that it replaces. @default false */
  isFramed?: boolean
}

/** Says why there is no content and what to do: for empty lists, failures and missing pages. */
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
