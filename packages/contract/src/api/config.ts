/** `GET /config.json`: what the page must know before its first call. Needs no key. */
export const configPath = '/config.json'
/** Checked by hand: the login page needs it at once and does not load zod. */
export type WebConfig = {
  apiKey: string
  /** Of the portal; absent before 0.2.0. */
  version?: string | undefined
  singleSignOn?: true | undefined
}

/**
 * Name of the header that carries, percent-encoded, why nobody of the caller's company may upload at the
 * moment. Every response to a caller who is logged in has it then, so that pages know without asking.
 */
export const uploadStopHeader = 'Upload-Stop'

export const apiKeyHeader = 'ApiKey'
