import { BoldNames } from './bold-names.tsx'
import { VisibleText } from './visible-text.tsx'
import classes from './cell-value.module.css'

export type CellValueProps = {
  value: string
  /** @default 'bad' */
  tone?: 'good' | 'bad'
}

/**
 * The text of a cell, in a box, with spaces and other hidden characters made visible; an empty cell shows the
 * word "empty". Its own direction does not reach the text around it.
 */
export function CellValue({ value, tone = 'bad' }: CellValueProps) {
  if (value === '') return <span className={classes.blank}>empty</span>
  return (
    <code className={classes.code} data-tone={tone} dir="auto">
      <VisibleText text={value} />
    </code>
  )
}

/** A sentence that ends with the regular expression of the field, with or without a description before it. */
const withForm = /^(?:(.+) (\(form: .+\))|(a value of the form) (.+))$/s

/**
 * What is expected, by the cell's field or by a rule between cells. A regular expression helps few people, so
 * it is less prominent than the description.
 */
export function Expectation({ text, isRule = false }: { text: string; isRule?: boolean }) {
  if (isRule) {
    return (
      <span className={classes.expected}>
        <BoldNames text={text} />
      </span>
    )
  }
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

/** Keeps a format like (yyyy-MM-dd) from breaking at its hyphens. */
function Unbroken({ text }: { text: string }) {
  const [, before, format] = /^(.+ )(\([dMy./-]+\))$/s.exec(text) ?? [null, text, null]
  return (
    <>
      {before}
      {format !== null && <span className={classes.format}>{format}</span>}
    </>
  )
}
