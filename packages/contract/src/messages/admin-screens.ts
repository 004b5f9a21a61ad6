/**
 * Titles of screens that the menu of every user imports, although it shows them to administrators only. Apart
 * from the sentences of these screens, which a clerk's browser would load with them. Ours.
 */
export const adminScreenTitles = {
  auditTrail: 'Audit trail',
  mails: 'Undelivered e-mails',
  operation: 'Operation',
} as const
