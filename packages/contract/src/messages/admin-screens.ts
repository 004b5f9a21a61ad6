/** Not beside the sentences of these screens, which clerks' browsers would then load with the menu. Ours. */
export const adminScreenTitles = {
  auditTrail: 'Audit trail',
  mails: 'Undelivered e-mails',
  operation: 'Operation',
} as const
