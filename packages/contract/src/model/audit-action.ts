/** What the audit trail records. See docs/BEHAVIOUR.md#audit-trail. */
export const auditActions = [
  'login.succeeded',
  'login.failed',
  'session.ended',
  'link.sent',
  'password.set',
  'company.created',
  'company.updated',
  'company.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'people.viewed',
  'dictionary.created',
  'dictionary.updated',
  'dictionary.deleted',
  'dictionary.associated',
  'dictionary.removed',
  'field.created',
  'field.updated',
  'field.deleted',
  'rule.created',
  'rule.updated',
  'rule.deleted',
  'impact.tried',
  'file.uploaded',
  'file.verdict',
  'file.viewed',
  'file.downloaded',
  'file.retried',
  'file.purged',
  'token.created',
  'token.revoked',
  'webhook.set',
  'operation.retried',
  'retention.changed',
  'audit.expired',
] as const

export type AuditAction = (typeof auditActions)[number]

/** A value before or after a change: plain data, never a secret or the value of a cell. */
export type AuditValue = string | number | boolean | null | readonly string[]
export type AuditValues = Readonly<Record<string, AuditValue>>
/** For a change only the values that differ. */
export type AuditDetail = { readonly before?: AuditValues; readonly after?: AuditValues }
