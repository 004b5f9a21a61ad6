import classes from './cell-value.module.css'

export type CellValueProps = {
  value: string
  /** @default 'bad' */
  tone?: 'good' | 'bad'
}

/**
 * What stands in a cell. Spaces at either end are made visible by the box around the text; nothing at all is
 * said in words.
 */
export function CellValue({ value, tone = 'bad' }: CellValueProps) {
  if (value === '') return <span className={classes.blank}>empty</span>
  return (
    <code className={classes.code} data-tone={tone}>
      {value}
    </code>
  )
}

/** The form of a regular expression at the end of a sentence, after words of the field or after none. */
const withForm = /^(?:(.+) (\(form: .+\))|(a value of the form) (.+))$/s

/**
 * What would be right. The form of a regular expression helps few, so it stands back behind the words before
 * it.
 */
export function Expectation({ text }: { text: string }) {
  const [, described, describedForm, bare, bareForm] = withForm.exec(text) ?? []
  const form = describedForm ?? bareForm ?? null
  return (
    <span className={classes.expected}>
      <Unbroken text={described ?? bare ?? text} />
      {form !== null && (
        <>
          {' '}
          <span className={classes.form}>{form}</span>
        </>
      )}
    </span>
  )
}

/** A format like (yyyy-MM-dd) is read as one word: it does not break at its hyphens. */
function Unbroken({ text }: { text: string }) {
  const [, before, format] = /^(.+ )(\([dMy./-]+\))$/s.exec(text) ?? [null, text, null]
  return (
    <>
      {before}
      {format !== null && <span className={classes.format}>{format}</span>}
    </>
  )
}
