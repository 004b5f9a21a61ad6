import type { Field } from '@veridict/contract/model/field'
import classes from './rule-text.module.css'

/** A text in quotes, what is not chosen yet, or a word that divides the sentence. */
const TOKEN = /("(?:[^"]|"")*"|…|\bIf\b|\bUnless\b|, then\b|; otherwise\b)/

export type RuleTextProps = {
  /** What `ruleSentence` says. */
  sentence: string
  /** The names of these fields look different from values. */
  columns: readonly Pick<Field, 'name'>[]
}

/** The sentence of a rule, with its columns, its values and what it still lacks standing out. */
export const RuleText = ({ sentence, columns }: RuleTextProps) =>
  sentence
    .split(TOKEN)
    .map((text, index) => (index % 2 === 0 ? text : <Token key={index} text={text} columns={columns} />))

function Token({ text, columns }: { text: string; columns: RuleTextProps['columns'] }) {
  if (/^"?…"?$/.test(text)) return <span className={classes.hole}>…</span>
  if (!text.startsWith('"')) return <span className={classes.word}>{text}</span>
  const inner = text.slice(1, -1)
  const isColumn = columns.some(({ name }) => name === inner.replaceAll('""', '"'))
  return (
    <span className={isColumn ? classes.column : classes.value}>
      <span className={classes.quote}>"</span>
      {inner}
      <span className={classes.quote}>"</span>
    </span>
  )
}
