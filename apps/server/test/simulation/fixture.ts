import { Role } from '@veridict/contract/model/role'
import type { Row } from '#simulation/rows.ts'

/** Companies 1 and 2; the first has a webhook. Each has two users and a token, whose id is its own. */
export const companies = [1, 2]
export const usersOf = (companyId: number): number[] => [companyId * 10, companyId * 10 + 1]
export const emailOf = (userId: number): string => `user-${userId}@example.test`
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
const version = { id: 1, dictionaryId: DICTIONARY, revision: 1, name: 'Claims', fieldIds: [1] }

/** The rows that every simulation begins with, by table, in an order that their references allow. */
export const fixture: readonly (readonly [string, Row])[] = [
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
        [
          'users',
          { ...user, name: `User ${user.id}`, email: emailOf(user.id), role: Role.CompanyUser, phone: '1' },
        ] as const,
    ),
  ['dictionaries', { id: DICTIONARY, name: 'Claims', revision: 1 }],
  ...companies.map((companyId) => ['companyDictionaries', { companyId, dictionaryId: DICTIONARY }] as const),
  ['frozenFields', { id: 1, content: JSON.stringify(field) }],
  ['dictionaryVersions', { ...version, changedAt: new Date(0), change: '{"kind":"created"}' }],
  [
    'receiptKeys',
    {
      // The key pair of RFC 8037, A.1.
      id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      privateKey: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      createdAt: new Date(0),
    },
  ],
  ['webhooks', { companyId: 1, url: 'https://receiver.test', secretSalt: 'salt' }],
  ...companies.map(
    (id) =>
      [
        'companyTokens',
        { id, companyId: id, name: `Token ${id}`, tokenHash: `${id}`, expiresAt: new Date('2100-01-01') },
      ] as const,
  ),
]
