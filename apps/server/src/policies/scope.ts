import type { CompanyViewer } from '#policies/viewer.ts'

/** Whose submissions a clerk sees: all of the company, or only the clerk's own. */
export type HistoryScope = 'company' | 'user'

/** The submissions that a viewer may see: of `companyId`, and only of `userId` unless that is null. */
export type Scope = { companyId: number; userId: number | null }

export const scopeOf = (
  viewer: Pick<CompanyViewer, 'companyId' | 'userId'>,
  history: HistoryScope,
): Scope => ({
  companyId: viewer.companyId,
  userId: history === 'user' ? viewer.userId : null,
})
