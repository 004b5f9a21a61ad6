import type { CompanyRow } from '#db/tables.ts'
import { contentVersion } from '#services/content-version.ts'

export const companyVersion = (company: CompanyRow): string =>
  contentVersion([company.name, company.storageFolder, company.address])
