/** Where a single sign-on begins: a link, not a call. */
export const singleSignOnPath = '/api/Login/oidc'

/** The name of the query parameter that tells the login page how a single sign-on ended. */
export const signOnParameter = 'sso'
export type SignOnOutcome = 'done' | 'failed' | 'refused' | 'unavailable'
