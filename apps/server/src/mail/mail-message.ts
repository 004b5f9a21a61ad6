import { escapeHtml } from '#platform/escape-html.ts'
import { htmlPage } from '#mail/layout.ts'

/** The content of an e-mail. The subject is one line without control characters. */
export type MailMessage = { subject: string; text: string; html: string }

/** What `composeMail` renders. All of it is plain text, never markup. */
export type Draft = {
  subject: string
  /** Name of the reader. */
  name: string
  /** Paragraphs, the most important first. */
  opening: readonly string[]
  /** Rows of label and value. */
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

/**
 * Without line breaks, control and direction characters, so that a file name cannot forge a header or a line.
 */
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

/**
 * The address is also below the button, for programs that show no buttons and readers who want to check it.
 */
function button(label: string, address: string): string {
  const href = escapeHtml(address)
  const link = `<a class="button" href="${href}">${escapeHtml(label)}</a>`
  return `<p class="action">${link}</p><p class="address">${href}</p>`
}
