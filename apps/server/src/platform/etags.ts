import { createHash } from 'node:crypto'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import type { CompanyRow, DictionaryRow, UserRow } from '#platform/database/tables.ts'
import { conflict } from '#errors.ts'

/** Digests need no column, and only changes of what a form shows conflict. 96 bits: too long to collide. */
const etagOf = (shown: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16)

export const companyEtag = (company: CompanyRow): string =>
  etagOf([company.name, company.storageFolder, company.address])

export const userEtag = (user: Pick<UserRow, 'name' | 'email' | 'phone'>): string =>
  etagOf([user.name, user.email, user.phone])

/** The name alone: changes of fields do not conflict with a new name. */
export const dictionaryEtag = (dictionary: Pick<DictionaryRow, 'name'>): string => etagOf([dictionary.name])

/** Does not depend on the position of the field, which another form changes. */
export const fieldEtag = ({ name, description, category, required, identifiesRow, rule }: Field): string =>
  etagOf([name, description, category, required, rule, identifiesRow === true])

export const ruleBookEtag = (book: RuleBook): string =>
  etagOf([book.rules, book.exempt, book.blankTexts, book.lists])

/** Throws 409 if `etag` is given and is not `currentEtag`. */
export function refuseStale(etag: string | null | undefined, currentEtag: string): void {
  if (etag != null && etag !== currentEtag) throw conflict(noticeMessages.changedMeanwhile)
}
