/**
 * Who causes a change: a person or a company's token by a call, or the portal itself (`actor` and `address`
 * are null). A public call has only an address. `companyId` is the company of a clerk or a token.
 */
export type Caller = {
  actor: { id: number; email: string } | null
  /** The name of the token, which is no actor. */
  token?: string
  companyId: number | null
  address: string | null
}

/** The caller of jobs and of commands of the operator. */
export const portalItself: Caller = { actor: null, companyId: null, address: null }
