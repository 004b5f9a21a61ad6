import type { CompanyRow } from '#db/tables.ts'
import { etagOf } from '#services/etags.ts'

export const companyEtag = (company: CompanyRow): string =>
  etagOf([company.name, company.storageFolder, company.address])
