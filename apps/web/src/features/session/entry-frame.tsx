import type { ReactNode } from 'react'
import { Logo } from '#ui/layout/logo.tsx'
import { ThemeSwitch } from '#ui/layout/theme-switch.tsx'
import classes from './entry-frame.module.css'
import { CheckedSheet } from './checked-sheet.tsx'

export type EntryFrameProps = {
  tabTitle: string
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

/** The frame of the screens for visitors: the form on one side, a picture of the product on the other. */
export function EntryFrame({ tabTitle, title, text, children }: EntryFrameProps) {
  return (
    <div className={classes.frame}>
      <title>{`${tabTitle} · Veridict`}</title>
      <main className={classes.side}>
        <div className={classes.logo}>
          <Logo size={32} />
        </div>
        <div className={classes.form}>
          <h1 className={classes.title}>{title}</h1>
          {text && <p className={classes.text}>{text}</p>}
          {children}
        </div>
        <div className={classes.theme}>
          <ThemeSwitch />
        </div>
      </main>
      <aside className={classes.stage} aria-hidden="true">
        <CheckedSheet />
        <p className={classes.claim}>
          Every cell checked.
          <br />
          Every error explained.
        </p>
      </aside>
    </div>
  )
}
