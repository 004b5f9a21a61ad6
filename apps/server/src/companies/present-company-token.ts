import type { CompanyTokenItem } from '@veridict/contract/api/company-tokens'
import type { CompanyTokenRow } from '#platform/database/tables.ts'

export const presentCompanyToken = (token: CompanyTokenRow): CompanyTokenItem => ({
  id: token.id,
  name: token.name,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  scope: token.scope,
  createdBy: token.creatorEmail,
})
