import type { Role } from '@veridict/contract/model/role'
import type { TokenScope } from '@veridict/contract/model/token-scope'

/**
 * The user of a call, read from the database in this request. `companyId` is null for super administrators.
 */
export type Viewer = {
  userId: number
  companyId: number | null
  role: Role
  sessionId: string
  name: string
  email: string
} & MayUpload

/** Why nobody of the company may upload at the moment; null: they may. */
export type MayUpload = { uploadStop: string | null }

export type CompanyViewer = Viewer & { companyId: number }

/** A program that calls with a token of a company. `name` is the token's. */
export type TokenViewer = {
  tokenId: number
  companyId: number
  role: 'token'
  scope: TokenScope
  name: string
} & MayUpload

export type Uploader = CompanyViewer | TokenViewer

/** The key of a person or a token in limits and turns. */
export const personKey = (viewer: Pick<Viewer, 'userId'> | Pick<TokenViewer, 'tokenId'>): string =>
  'tokenId' in viewer ? `token ${viewer.tokenId}` : String(viewer.userId)

/** The user or the token that uploaded a submission: one of the two is null. */
export type UploaderIds = { userId: number | null; tokenId: number | null }

export const uploaderIds = (
  uploader: Pick<CompanyViewer, 'userId'> | Pick<TokenViewer, 'tokenId'>,
): UploaderIds =>
  'tokenId' in uploader
    ? { userId: null, tokenId: uploader.tokenId }
    : { userId: uploader.userId, tokenId: null }
