import { readFileSync } from 'node:fs'
import { sessionMessages } from '@veridict/contract/messages/session'

/** Whose password it is; `company` is null for administrators. */
export type PasswordOwner = { email: string; name: string; company: string | null }

/** Signs and digits that people write instead of letters; for `1` and `|` see `withoutLeet`. */
const LEET: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '(': 'c',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
}

let commonPasswords: ReadonlySet<string> | undefined

/** A common one, or the owner's e-mail, name or company. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export function passwordProblem(password: string, owner: PasswordOwner): string | null {
  commonPasswords ??= readCommonPasswords()
  const personal = personalWords(owner)
  for (const reading of readings(normalize(password))) {
    if (commonPasswords.has(reading)) return sessionMessages.passwordCommon
    if (personal.has(reading) || personal.has(squeeze(reading))) return sessionMessages.passwordPersonal
  }
  return null
}

/** Read when the first password is set, and then cached: 80 KB. */
function readCommonPasswords(): ReadonlySet<string> {
  const lines = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split('\n')
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))
}

/**
 * As typed, and without some or all of the digits and signs at both ends; each also with letters for leet
 * signs. Without some only, because a `$` at the beginning may stand for a letter.
 */
function* readings(text: string): Generator<string> {
  const before = /^\P{L}*/u.exec(text)?.[0].length ?? 0
  const after = /\P{L}*$/u.exec(text)?.[0].length ?? 0
  for (let start = 0; start <= before; start++) {
    for (let end = text.length; end >= text.length - after && end > start; end--) {
      const core = text.slice(start, end)
      yield core
      yield withoutLeet(core, 'i')
      yield withoutLeet(core, 'l')
    }
  }
}

/** `1` and `|` may stand for i or l. */
const withoutLeet = (text: string, one: 'i' | 'l'): string =>
  text.replace(/[^\p{L}]/gu, (sign) => (sign === '1' || sign === '|' ? one : (LEET[sign] ?? sign)))

function personalWords({ email, name, company }: PasswordOwner): ReadonlySet<string> {
  const [local = '', domain = ''] = email.split('@')
  const sources = [local, name, company ?? '', domain.replace(/\.[^.]*$/, '')].map(normalize)
  const words = sources.flatMap((source) => {
    const parts = source.split(/[^\p{L}\p{N}]+/u)
    return [...parts, parts.join(''), parts.toReversed().join('')]
  })
  return new Set([squeeze(normalize(email)), ...words].filter((word) => word !== ''))
}

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()
const squeeze = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
