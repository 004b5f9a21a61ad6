import { Fragment } from 'react'
import classes from './cell-value.module.css'
import hiddenCharacters from './hidden-characters.json' with { type: 'json' }

export type CellValueProps = {
  value: string
  /** @default 'bad' */
  tone?: 'good' | 'bad'
}

/** In a box, with invisible characters made visible. Its own direction does not reach the text around it. */
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

/** A regular expression helps few people, so it is less prominent than the description. */
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

/** A sentence about a rule between cells, whose names and values are bold instead of in quotes. */
export const BoldNames = ({ text }: { text: string }) =>
  text
    .split(/"((?:[^"]|"")+)"/)
    .map((part, index) => (index % 2 === 1 ? <b key={index}>{part.replaceAll('""', '"')}</b> : part))

/**
 * Signs for tabs, line breaks, no-break and zero-width characters everywhere, for spaces at the ends and next
 * to each other. The characters stay in the text, so that it can be copied and found.
 */
function VisibleText({ text }: { text: string }) {
  return visibleParts(text).map(({ part, sign, name }, index) =>
    sign === null ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <span key={index} role="img" aria-label={name} title={name} className={classes.hidden} data-sign={sign}>
        <span className={classes.original}>{part}</span>
      </span>
    ),
  )
}

type VisiblePart = { part: string; sign: string | null; name?: string }

/** The characters that look like nothing or like a space, and how they are shown. */
const signs: Readonly<Record<string, { sign: string; name: string }>> = hiddenCharacters

const otherSpace = { sign: '·', name: 'space of another width' }
const invisible = { sign: '▯', name: 'invisible character' }
const control = { sign: '�', name: 'control character' }

/** Characters that emoji and the letters of some scripts are joined with; suspicious beside others only. */
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d'])
const isAscii = (character: string | undefined) => character === undefined || character < '\u0080'

/** Spaces at the ends or next to each other, and single characters that are not seen or look like a space. */
const hidden = /^ +| +$| {2,}|\r\n|[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/gu

/** Splits a text into what can be read and what is shown by a sign. */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = []
  let read = 0
  const plain = (end: number) => {
    if (end > read) parts.push({ part: text.slice(read, end), sign: null })
  }
  for (const { 0: part, index } of text.matchAll(hidden)) {
    if (part === ' ' && index > 0 && index < text.length - 1) continue
    if (joiners.has(part) && !isAscii(text[index - 1]) && !isAscii(text[index + 1])) continue
    plain(index)
    const { sign, name } = signOf(part)
    parts.push({ part, sign: part.startsWith(' ') ? sign.repeat(part.length) : sign, name })
    read = index + part.length
  }
  plain(text.length)
  return parts
}

function signOf(part: string): { sign: string; name: string } {
  const known = signs[part[0]]
  if (known !== undefined) return part.length > 1 && part[0] === ' ' ? { sign: '·', name: 'spaces' } : known
  if (/\p{Z}/u.test(part)) return otherSpace
  return /\p{Cf}/u.test(part) ? invisible : control
}
