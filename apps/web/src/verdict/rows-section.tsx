import { reportMessages as texts } from '@veridict/contract/messages/report'
import { type ReactNode, type RefObject, startTransition, useEffect, useState } from 'react'
import classes from './rows-section.module.css'

export type RowsSectionProps = {
  /** Which rows are listed; '' where these are all. */
  text: string
  /** Takes the focus when a cause is chosen. */
  ref: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Comes a frame after what is above: causes and ten rows at once block a slow machine for over 50 ms. */
export function RowsSection({ text, ref, children }: RowsSectionProps) {
  const isFirstFrame = useFirstFrame()
  return (
    <section ref={ref} tabIndex={-1} aria-label={texts.rows} className={classes.rows}>
      <div className={classes.head}>
        <h2>{texts.rows}</h2>
        <p role="status">{text}</p>
      </div>
      {isFirstFrame ? <div className={classes.coming} /> : children}
    </section>
  )
}

/** Whether the component has not been painted yet. */
export function useFirstFrame(): boolean {
  const [isFirst, setIsFirst] = useState(true)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      // In steps, between which the page stays free.
      frame = requestAnimationFrame(() => startTransition(() => setIsFirst(false)))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return isFirst
}
