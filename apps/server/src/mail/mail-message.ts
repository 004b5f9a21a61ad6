import { escapeHtml } from '#platform/escape-html.ts'

/** The content of an e-mail. The subject is one line without control characters. */
export type MailMessage = { subject: string; text: string; html: string }

/** What `composeMail` renders. All of it is plain text, never markup. */
export type Draft = {
  subject: string
  /** Name of the reader. */
  name: string
  /** Paragraphs, the most important first. */
  opening: readonly string[]
  facts?: readonly (readonly [label: string, value: string])[]
  list?: { title: string; items: readonly string[] }
  /** The one thing to do. */
  action?: { label: string; address: string }
  closing?: readonly string[]
}

/** Renders a draft as text and as HTML with the same content. See docs/BEHAVIOUR.md#e-mail. */
export function composeMail(draft: Draft): MailMessage {
  return {
    subject: oneLine(draft.subject),
    text: asText(draft),
    html: htmlPage(oneLine(draft.subject), asHtml(draft)),
  }
}

/** A space replaces line breaks, control and direction characters: no file name forges a header or a line. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

function asText({ name, opening, facts = [], list, action, closing = [] }: Draft): string {
  const width = Math.max(0, ...facts.map(([label]) => label.length)) + 2
  const blocks = [
    `Hello ${oneLine(name)},`,
    ...opening.map(oneLine),
    facts.map(([label, value]) => `${`${label}:`.padEnd(width)}${oneLine(value)}`).join('\n'),
    list === undefined ? '' : [list.title, ...list.items.map((item) => `  - ${oneLine(item)}`)].join('\n'),
    action === undefined ? '' : `${action.label}:\n${action.address}`,
    ...closing.map(oneLine),
    '--\nVeridict. This e-mail was sent automatically.',
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function asHtml({ name, opening, facts = [], list, action, closing = [] }: Draft): string {
  const paragraph = (text: string) => `<p>${escapeHtml(oneLine(text))}</p>`
  const rows = facts.map(
    ([label, value]) => `<tr><th>${escapeHtml(label)}</th><td>${escapeHtml(oneLine(value))}</td></tr>`,
  )
  const items = list?.items.map((item) => `<li>${escapeHtml(oneLine(item))}</li>`) ?? []
  return [
    paragraph(`Hello ${name},`),
    ...opening.map(paragraph),
    rows.length === 0 ? '' : `<table class="facts" role="presentation">${rows.join('')}</table>`,
    list === undefined ? '' : `<p><strong>${escapeHtml(list.title)}</strong></p><ul>${items.join('')}</ul>`,
    action === undefined ? '' : button(action.label, action.address),
    ...closing.map(paragraph),
  ].join('\n')
}

/** The address stands below it, for programs without buttons and readers who want to check it. */
function button(label: string, address: string): string {
  const href = escapeHtml(address)
  const link = `<a class="button" href="${href}">${escapeHtml(label)}</a>`
  return `<p class="action">${link}</p><p class="address">${href}</p>`
}

/** Styles by start tag, written into the elements, because most mail programs ignore style sheets. */
const styles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 16px;line-height:1.5',
  ul: 'margin:0 0 16px;padding-left:20px',
  li: 'margin:0 0 6px;line-height:1.5',
  th:
    'text-align:left;vertical-align:top;padding:6px 16px 6px 0;color:#6b6b6b;font-weight:normal;' +
    'white-space:nowrap',
  td: 'vertical-align:top;padding:6px 0;word-break:break-word',
  'table class="facts"': 'margin:0 0 16px;border-collapse:collapse;font-size:15px',
  'p class="action"': 'margin:24px 0 8px',
  'a class="button"':
    'display:inline-block;background:#8f1d22;color:#ffffff;text-decoration:none;padding:12px 24px;' +
    'border-radius:6px;font-weight:bold',
  'p class="address"': 'margin:0 0 16px;font-size:12px;color:#6b6b6b;word-break:break-all',
}

const styled = (html: string): string =>
  html.replace(/<(\w+)( class="\w+")?(?=[ >])/g, (tag, name: string, attribute = '') => {
    const style = styles[name + attribute]
    return style === undefined ? tag : `<${name} style="${style}"`
  })

const bodyStyle =
  "margin:0;padding:0;background:#f4f1f0;font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:16px;" +
  'color:#222222'
const tableAttributes = 'role="presentation" width="100%" cellpadding="0" cellspacing="0"'
const cardAttributes = 'role="presentation" width="600" cellpadding="0" cellspacing="0"'
const cardStyle = 'width:100%;max-width:600px;background:#ffffff;border-radius:8px;overflow:hidden'
const headStyle = 'background:#741519;padding:18px 32px;color:#ffffff;font-size:20px;font-weight:bold'
const footStyle = 'padding:16px 32px;border-top:1px solid #e6e0de;font-size:12px;color:#6b6b6b'

/** One column of tables, nothing loaded: for old mail programs. See docs/adr/0012-mail-styles.md. */
function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="${bodyStyle}">
<table ${tableAttributes} style="background:#f4f1f0">
<tr><td align="center" style="padding:32px 16px">
<table ${cardAttributes} style="${cardStyle}">
<tr><td style="${headStyle}">Veridict</td></tr>
<tr><td style="padding:32px">
${styled(body)}
</td></tr>
<tr><td style="${footStyle}">This e-mail was sent automatically.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `1 May 2026 at 14:03 UTC`: with the zone, because readers may be in any zone. */
export const formatTime = (time: Date): string => `${times.format(time)} UTC`

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `1 May 2026`: `05/01/2026` would be in January for many readers. */
export const formatLongDay = (time: Date): string => days.format(time)

/** `05/01/2026` (MM/dd/yyyy), as in the hint of a storage error. See docs/BEHAVIOUR.md#history. */
export function formatDay(time: Date): string {
  const [year, month, day] = time.toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}
