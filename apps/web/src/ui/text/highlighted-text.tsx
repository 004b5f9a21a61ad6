import { Fragment } from 'react'
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

/** A text cut at every place where `search` is found, whatever its case. Joined, the parts are the text. */
export function textParts(text: string, search: string): { part: string; isHit: boolean }[] {
  if (search === '') return [{ part: text, isHit: false }]
  const pattern = new RegExp(`(${search.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ part, isHit: index % 2 === 1 }))
    .filter(({ part }) => part !== '')
}

/** Whether `search` is found in a text, whatever its case. */
export const hasText = (text: string, search: string): boolean =>
  search === '' || textParts(text, search).some(({ isHit }) => isHit)
