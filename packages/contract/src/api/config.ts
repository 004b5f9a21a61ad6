/** `GET`: what the page must know before its first call. Needs no key. */
export const configPath = '/config.json'
/** Checked by hand: the login page needs it at once and does not load zod. */
export type WebConfig = {
  apiKey: string
  /** Of the portal; absent before 0.2.0. */
  version?: string | undefined
  singleSignOn?: true | undefined
}

/** Why the caller's company may not upload now, percent-encoded; in each response to a logged-in user. */
export const uploadStopHeader = 'Upload-Stop'

export const apiKeyHeader = 'ApiKey'
