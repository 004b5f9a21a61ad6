import type { Row } from '#simulation/database/rows.ts'
import type { TableName } from '#simulation/database/tables.ts'

/** Companies 1 and 2; the first has a webhook. Each has two users. */
export const companies = [1, 2]
export const usersOf = (companyId: number): number[] => [companyId * 10, companyId * 10 + 1]
/** The only dictionary, and the only version of it. */
export const DICTIONARY = 1

const field = {
  itemName: 'Amount',
  description: '',
  category: '',
  ruleType: 0,
  isRequired: false,
  identifiesRow: false,
  ruleConfig: {},
}

/** The rows that every simulation begins with, in an order that their references allow. */
export const fixture: readonly (readonly [TableName, Row])[] = [
  ...companies.map(
    (id) =>
      [
        'companies',
        { id, name: `Company ${id}`, storageFolder: `company-${id}`, address: 'Street' },
      ] as const,
  ),
  ...companies
    .flatMap((companyId) => usersOf(companyId).map((id) => ({ id, companyId })))
    .map(
      (user) =>
        ['users', { ...user, name: `User ${user.id}`, email: `user-${user.id}@example.test` }] as const,
    ),
  ['dictionaries', { id: DICTIONARY, name: 'Claims', revision: 1 }],
  ...companies.map((companyId) => ['companyDictionaries', { companyId, dictionaryId: DICTIONARY }] as const),
  ['frozenFields', { id: 1, content: JSON.stringify(field) }],
  ['dictionaryVersions', { id: 1, dictionaryId: DICTIONARY, revision: 1, name: 'Claims', fieldIds: [1] }],
  ['webhooks', { companyId: 1, url: 'https://receiver.test', secretSalt: 'salt' }],
]
