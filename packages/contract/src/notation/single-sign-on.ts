/** Where a single sign-on begins: a link, not a call. */
export const singleSignOnPath = '/api/Login/oidc'

/** How a single sign-on ended: in the query of the login page to which it leads. */
export const signOnParameter = 'sso'
export type SignOnOutcome = 'done' | 'failed' | 'refused' | 'unavailable'
