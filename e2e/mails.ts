import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Portal } from './portal.ts'

/** An e-mail in the outbox of the demo: its subject and plain text. */
export type ReceivedMail = { subject: string; text: string }

/** All e-mails to an address so far, oldest first. */
export function mailsTo(portal: Portal, email: string): ReceivedMail[] {
  const outbox = join(portal.dataDir, 'outbox')
  if (!existsSync(outbox)) return []
  const names = readdirSync(outbox).filter((name) => name.endsWith('.eml') && name.includes(`_${email}_`))
  return names.sort().map((name) => readMail(readFileSync(join(outbox, name), 'utf8')))
}

/** Waits for the e-mail after `before` earlier ones; returns it, and the path and query of its link. */
export async function linkMailedTo(
  portal: Portal,
  email: string,
  before: number,
): Promise<{ mail: ReceivedMail; path: string }> {
  await expect.poll(() => mailsTo(portal, email).length, { timeout: 60_000 }).toBeGreaterThan(before)
  const mail = mailsTo(portal, email).at(-1)!
  const link = new URL(/https?:\/\/\S+/.exec(mail.text)![0])
  return { mail, path: link.pathname + link.search }
}

/** Subject and plain text of a message. The text is the first part, in quoted-printable or 7-bit. */
function readMail(message: string): ReceivedMail {
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(message)![1]!.replaceAll(/\r\n[ \t]/g, ' ')
  const part = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(message)!
  const isQuoted = /Content-Transfer-Encoding: quoted-printable/.test(part[0])
  return { subject, text: isQuoted ? unquoted(part[1]!) : part[1]! }
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
