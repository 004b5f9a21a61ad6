import { type CompanyViewer, type TokenViewer, uploaderIds, type UploaderIds } from '#policies/viewer.ts'

/** Whose submissions a clerk sees: all of the company, or only the clerk's own. */
export type HistoryScope = 'company' | 'user'

/**
 * The submissions that a viewer may see: of `companyId`, and only those of `userId` or of `tokenId` where one
 * is not null.
 */
export type Scope = { companyId: number } & UploaderIds

export const scopeOf = (
  viewer: Pick<CompanyViewer, 'companyId' | 'userId'> | Pick<TokenViewer, 'companyId' | 'tokenId'>,
  history: HistoryScope,
): Scope => ({
  companyId: viewer.companyId,
  ...(history === 'user' ? uploaderIds(viewer) : { userId: null, tokenId: null }),
})
