import { Fragment } from 'react'
import classes from './highlighted-text.module.css'

/** A text with all matches of a search marked; case is ignored. */
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

/** Splits a text into matches of `search` and the parts between them; case is ignored. */
export function textParts(text: string, search: string): { part: string; isHit: boolean }[] {
  if (search === '') return [{ part: text, isHit: false }]
  const pattern = new RegExp(`(${search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ part, isHit: index % 2 === 1 }))
    .filter(({ part }) => part !== '')
}

/** Whether a text contains `search`; case is ignored. */
export const hasText = (text: string, search: string): boolean =>
  search === '' || textParts(text, search).some(({ isHit }) => isHit)
