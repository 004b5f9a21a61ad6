import { Fragment, memo } from 'react'
import classes from './rule-text.module.css'

/** A text in quotes, what is not chosen yet, or a word that divides the sentence. */
const TOKEN = /("(?:[^"]|"")*"|…|\bIf\b|\bUnless\b|, then\b|; otherwise\b)/

export type RuleTextProps = {
  /** What `ruleSentence` says. */
  sentence: string
  /** The names of the fields, which look different from values. */
  columns: ReadonlySet<string>
}

/** The sentence of a rule, with its columns, its values and what it still lacks standing out. */
export const RuleText = memo(function RuleText({ sentence, columns }: RuleTextProps) {
  return sentence
    .split(TOKEN)
    .map((text, index) => (
      <Fragment key={index}>{index % 2 === 0 ? text : <Token text={text} columns={columns} />}</Fragment>
    ))
})

function Token({ text, columns }: { text: string; columns: ReadonlySet<string> }) {
  if (text === '…' || text === '"…"') return <span className={classes.hole}>…</span>
  if (!text.startsWith('"')) return <span className={classes.word}>{text}</span>
  const inner = text.slice(1, -1)
  const isColumn = columns.has(inner.replaceAll('""', '"'))
  return (
    <span className={isColumn ? classes.column : classes.value}>
      <span className={classes.quote}>"</span>
      {inner}
      <span className={classes.quote}>"</span>
    </span>
  )
}
