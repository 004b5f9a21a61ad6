import classes from './cell-words.module.css'

export type CellValueProps = {
  value: string
  /** @default 'bad' */
  tone?: 'good' | 'bad'
}

/** What stands in a cell. Spaces at either end are made visible by the box around the text; nothing at all is said in words. */
export function CellValue({ value, tone = 'bad' }: CellValueProps) {
  if (value === '') return <span className={classes.blank}>empty</span>
  return (
    <code className={classes.code} data-tone={tone}>
      {value}
    </code>
  )
}

/** What would be right. The form of a regular expression helps few, so it stands back behind the words before it. */
export function Expectation({ text }: { text: string }) {
  const [, words, form] = /^(.+) (\(form: .+\))$/s.exec(text) ?? [null, text, null]
  return (
    <span className={classes.expected}>
      {words}
      {form !== null && (
        <>
          {' '}
          <span className={classes.form}>{form}</span>
        </>
      )}
    </span>
  )
}
