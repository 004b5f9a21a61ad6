import {
  type CompanyViewer,
  type TokenViewer,
  uploaderIds,
  type UploaderIds,
} from '#platform/access/viewer.ts'

/** Whose submissions a clerk sees: all of the company, or only the clerk's own. */
export type HistoryScope = 'company' | 'user'

/**
 * The submissions that a viewer may see: those of the company; if `userId` or `tokenId` is not null, only
 * those of this user or token. A token that may only upload sees its own: other file names may name people.
 */
export type Scope = { companyId: number } & UploaderIds

export const scopeOf = (
  viewer: Pick<CompanyViewer, 'companyId' | 'userId'> | Pick<TokenViewer, 'companyId' | 'tokenId' | 'scope'>,
  history: HistoryScope,
): Scope => ({
  companyId: viewer.companyId,
  ...(history === 'user' || ('tokenId' in viewer && viewer.scope === 'upload')
    ? uploaderIds(viewer)
    : { userId: null, tokenId: null }),
})
