import type { Role } from '@veridict/contract/model/role'

/**
 * Who is calling, as the database knows them at this moment. `companyId` is null for super administrators.
 */
export type Viewer = {
  userId: number
  companyId: number | null
  role: Role
  sessionId: string
  name: string
  email: string
}

/** A viewer of a call that only company users reach. */
export type CompanyViewer = Viewer & { companyId: number }
