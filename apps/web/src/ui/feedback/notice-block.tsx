import type { ReactNode } from 'react'
import classes from './notice-block.module.css'
import sheet from './sheet-picture.module.css'

export type NoticeBlockProps = {
  /** Shows a sheet, whose selected cell has this tone. */
  picture?: 'quiet' | 'wrong'
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
      {picture && (
        <div className={classes.picture}>
          <SheetPicture tone={picture} />
        </div>
      )}
      <Heading className={classes.title}>{title}</Heading>
      {text && <div className={classes.text}>{text}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

/** All but the selected one, by number: three in each row. */
const otherCells = [0, 1, 2, 3, 5, 6, 7, 8]

/** A picture of a small sheet with one selected cell; `tone` colours that cell. */
export function SheetPicture({ tone }: { tone: 'quiet' | 'wrong' }) {
  return (
    <svg
      width="132"
      height="92"
      viewBox="0 0 132 92"
      fill="none"
      aria-hidden="true"
      className={sheet.sheet}
      data-tone={tone}
    >
      {otherCells.map((cell) => (
        <rect
          key={cell}
          x={6 + (cell % 3) * 40}
          y={7 + Math.floor(cell / 3) * 26}
          width="40"
          height="26"
          className={sheet.cell}
        />
      ))}
      <rect x="46" y="33" width="40" height="26" className={sheet.selected} />
      <rect x="82" y="55" width="8" height="8" className={sheet.handle} />
      {[
        [13, 17],
        [13, 43],
        [93, 43],
        [53, 69],
      ].map(([x, y]) => (
        <rect
          key={`${x}-${y}`}
          x={x}
          y={y}
          width={x === 13 ? 22 : 16}
          height="5"
          rx="2.5"
          className={sheet.text}
        />
      ))}
      {tone === 'wrong' && <path d="m61 41 10 10m0-10-10 10" className={sheet.cross} />}
    </svg>
  )
}
