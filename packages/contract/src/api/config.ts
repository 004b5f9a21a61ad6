import { z } from 'zod'

/** `GET /config.json`: what the page must know before its first call. Needs no key. */
export const configPath = '/config.json'
export const webConfig = z.object({ apiKey: z.string() })
export type WebConfig = z.infer<typeof webConfig>

/** Name of the header that carries the key. */
export const apiKeyHeader = 'ApiKey'
