/** `GET /config.json`: what the page must know before its first call. Needs no key. */
export const configPath = '/config.json'
/** Checked by `web-config.ts`: the login page, which reads it at once, does without zod. */
export type WebConfig = {
  apiKey: string
  /** Whether single sign-on is offered. */
  singleSignOn?: true | undefined
}

/** Name of the header that carries the key. */
export const apiKeyHeader = 'ApiKey'
