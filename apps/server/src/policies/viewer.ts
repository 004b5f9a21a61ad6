import type { Role } from '@veridict/contract/model/role'

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
}

/** The viewer of a call for company users only. */
export type CompanyViewer = Viewer & { companyId: number }
