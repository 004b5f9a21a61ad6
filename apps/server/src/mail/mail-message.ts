import { escapeHtml } from '#escape-html.ts'
import { htmlPage } from '#mail/layout.ts'

/**
 * What a letter says; who gets it and how is not its business. The subject is one line without control
 * characters.
 */
export type MailMessage = { subject: string; text: string; html: string }

/** A letter before it is set in type. Everything in it is plain text; nothing in it is ever markup. */
export type Draft = {
  subject: string
  /** Name of the reader. */
  name: string
  /** First paragraphs, the most important first. */
  opening: readonly string[]
  /** Facts under each other: label and value. */
  facts?: readonly (readonly [label: string, value: string])[]
  list?: { title: string; items: readonly string[] }
  /** The one thing to do. */
  action?: { label: string; address: string }
  closing?: readonly string[]
}

/** Sets a draft as text and as HTML that say the same. Decisions, "Mail". */
export function composeMail(draft: Draft): MailMessage {
  return {
    subject: oneLine(draft.subject),
    text: asText(draft),
    html: htmlPage(oneLine(draft.subject), asHtml(draft)),
  }
}

/**
 * Without line breaks, control characters and marks that turn the direction of text: so a file name cannot
 * forge a header or a line.
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
    '--\nVeridict. This letter was sent automatically.',
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
 * The address stands below the button as well, for programs that show no buttons and people who want to see
 * where it leads.
 */
function button(label: string, address: string): string {
  const href = escapeHtml(address)
  return `<p class="action"><a class="button" href="${href}">${escapeHtml(label)}</a></p><p class="address">${href}</p>`
}
