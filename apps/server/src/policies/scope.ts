import type { CompanyViewer } from '#policies/viewer.ts'

/** Whose submissions a clerk sees: the whole company's, or only their own. Decisions, "People and rights". */
export type HistoryScope = 'company' | 'user'

/**
 * The rows that belong to a viewer: of `companyId`, and of `userId` alone where that is not null. Every query
 * by id takes it.
 */
export type Scope = { companyId: number; userId: number | null }

export const scopeOf = (
  viewer: Pick<CompanyViewer, 'companyId' | 'userId'>,
  history: HistoryScope,
): Scope => ({
  companyId: viewer.companyId,
  userId: history === 'user' ? viewer.userId : null,
})
