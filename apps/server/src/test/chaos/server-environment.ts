import { apiKey } from '#test/chaos/send-upload.ts'

export const TOKEN_SECRET = 's'.repeat(32)

/** The settings of all servers of a campaign: no limits on uploads, one validator process, no drain. */
export function serverEnvironment(databaseUrl: string, storageUrl: string): Record<string, string> {
  const inherited = ['NODE_COMPILE_CACHE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  return {
    ...Object.fromEntries(
      inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    ),
    DATABASE_URL: databaseUrl,
    STORAGE_URL: storageUrl,
    LOG_LEVEL: 'warn',
    API_KEY: apiKey,
    TOKEN_SECRET,
    UPLOADS_PER_MINUTE: '1000000',
    COMPANY_QUOTA_MB: '0',
    MIN_FREE_SPACE_MB: '0',
    VALIDATOR_PROCESSES: '1',
    DRAIN_SECONDS: '0',
  }
}
