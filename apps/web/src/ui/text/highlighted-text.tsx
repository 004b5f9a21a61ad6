import { Fragment } from 'react'
import { textParts } from './text-parts.ts'
import classes from './highlighted-text.module.css'

/** A text with every place marked where a search was found, whatever its case. */
export function HighlightedText({ text, search }: { text: string; search: string }) {
  return textParts(text, search).map(({ part, isHit }, index) =>
    isHit ? (
      <mark key={index} className={classes.hit}>
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
