import names from '#messages/audit-names.json' with { type: 'json' }
import type { AuditAction } from '#model/audit-action.ts'
import { adminScreenTitles } from './admin-screens.ts'

/** Sentences of the audit trail. See docs/BEHAVIOUR.md#audit-trail. */
export const auditMessages = {
  title: adminScreenTitles.auditTrail,
  lead: 'Who did what, when and from where. Entries cannot be changed.',
  search: 'Search person, subject, company',
  empty: 'No entries',
  emptyText: 'Logins, changes and what happens to files are listed here.',
  noneMatch: 'No entry matches the filters.',
  clearFilters: 'Clear filters',
  export: 'Export as CSV',
  exportName: 'audit-trail.csv',
  action: 'Action',
  allActions: 'All actions',
  from: 'From',
  to: 'To',
  onlyOf: (name: string) => `Search for ${name}`,
  /** The actor of jobs, and of whoever is not logged in. */
  nobody: 'The portal',
  visitor: 'Not logged in',
  detailsOf: (action: string, subject: string) => `${action}: ${subject}`,
  allDetails: 'Show all',
  changedTo: 'changed to',
  change: 'Change',
  at: 'Time',
  yes: 'Yes',
  no: 'No',
  columns: {
    at: 'Time (UTC)',
    actor: 'Person',
    action: 'Action',
    subject: 'Subject',
    company: 'Company',
    address: 'Address',
    before: 'Before',
    after: 'After',
  },
} as const

/** Actions as people read them, in the order in which they are offered. */
export const auditActionNames: Readonly<Record<AuditAction, string>> = names.actions

/** Values of `detail` whose name in words is not their name in the API. */
const valueNames: Readonly<Record<string, string>> = names.values

/** The name of a value of `detail`, in words: 'storageFolder' is 'Storage folder'. */
export function auditValueName(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return valueNames[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Values of `detail` that are names in the API, in words. */
export const auditValueTexts: Readonly<Record<string, string>> = names.texts
