import names from '#messages/audit-names.json' with { type: 'json' }

/** What the audit trail records. See docs/BEHAVIOUR.md#audit-trail. */
export type AuditAction = keyof typeof names.actions
export const auditActions = Object.keys(names.actions) as AuditAction[]

/** A value before or after a change: plain data, never a secret or the value of a cell. */
export type AuditValue = string | number | boolean | null | readonly string[]
export type AuditValues = Readonly<Record<string, AuditValue>>
/** For a change only the values that differ. */
export type AuditDetail = { readonly before?: AuditValues; readonly after?: AuditValues }
