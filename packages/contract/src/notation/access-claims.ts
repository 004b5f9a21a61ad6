/** Claims of an access token that clients read. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export type AccessClaims = {
  /** Seconds since the epoch. */
  exp: number
  iat: number
  /** User id, as a string. */
  nameid: string
  IsSuperAdmin: 'True' | 'False'
  email: string
  /** Session. */
  sid: string
}
