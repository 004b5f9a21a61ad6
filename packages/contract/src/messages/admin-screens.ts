/** Apart from the sentences of these screens, which a clerk's browser would load with the menu. Ours. */
export const adminScreenTitles = {
  auditTrail: 'Audit trail',
  mails: 'Undelivered e-mails',
  operation: 'Operation',
} as const
