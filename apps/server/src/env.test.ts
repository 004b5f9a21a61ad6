import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvError, isLoopback, readEnv, settings } from '#env.ts'

const problemsOf = (source: Record<string, string>): readonly string[] => {
  try {
    readEnv(source)
    return []
  } catch (error) {
    return (error as EnvError).problems
  }
}
const real = { DATABASE_URL: 'postgresql://veridict@db/veridict' }
const oidc = {
  OIDC_ISSUER: 'https://login.example.test',
  OIDC_CLIENT_ID: 'veridict',
  OIDC_CLIENT_SECRET: 'secret',
}

describe('The environment', () => {
  it('may be empty: a demo on this machine alone', () => {
    expect(readEnv({})).toMatchObject({
      isDemo: true,
      databaseUrl: null,
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('data'),
      storageUrl: resolve('data/storage'),
      publicUrl: 'http://localhost:3000',
      publicHost: 'localhost',
      logLevel: 'warn',
    })
  })

  it('with a database means production mode, on all interfaces', () => {
    expect(readEnv(real)).toMatchObject({ isDemo: false, host: '0.0.0.0', logLevel: 'info' })
  })

  it('names the host that requests must be for by PUBLIC_URL alone in production', () => {
    expect(readEnv(real).publicHost).toBeNull()
    expect(readEnv({ ...real, PUBLIC_URL: 'https://Data.Example.test:8443/' }).publicHost).toBe(
      'data.example.test',
    )
  })

  it('counts an empty variable as not set', () => {
    expect(readEnv({ DATABASE_URL: '', PORT: '', SMTP_URL: '' })).toMatchObject({
      isDemo: true,
      port: 3000,
      smtpUrl: null,
    })
  })

  it.for([
    ['a port out of range', { PORT: '70000' }, 'PORT'],
    ['a port that is not a number', { PORT: 'http' }, 'PORT'],
    ['another kind of database', { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    ['a storage of an unknown kind', { STORAGE_URL: 'ftp://files' }, 'STORAGE_URL'],
    ['an Azure storage without credentials', { STORAGE_URL: 'azure://files' }, 'STORAGE_URL'],
    ['a demo open to others', { HOST: '0.0.0.0' }, 'HOST'],
    ['a short token secret', { ...real, TOKEN_SECRET: 'secret' }, 'TOKEN_SECRET'],
    ['tokens that expire before clients refresh', { ACCESS_TOKEN_MINUTES: '2' }, 'ACCESS_TOKEN_MINUTES'],
    ['an unknown scope', { HISTORY_SCOPE: 'world' }, 'HISTORY_SCOPE'],
    ['a provider without a client', { OIDC_ISSUER: oidc.OIDC_ISSUER }, 'OIDC_ISSUER, OIDC_CLIENT_ID'],
    ['a provider over plain http', { ...oidc, OIDC_ISSUER: 'http://login.example.test' }, 'OIDC_ISSUER'],
    [
      'a provider that looks like this machine',
      { ...oidc, OIDC_ISSUER: 'http://127.0.0.1.evil.test' },
      'OIDC_ISSUER',
    ],
    ['no way to log in', { PASSWORD_LOGIN: 'off' }, 'PASSWORD_LOGIN: off needs OIDC_ISSUER'],
    [
      'nobody when the provider is down',
      { ...real, ...oidc, PASSWORD_LOGIN: 'off' },
      'PASSWORD_LOGIN: off needs ADMIN_EMAIL',
    ],
    ['a password of nobody', { ...real, ADMIN_PASSWORD: 'Seven!Otters27' }, 'ADMIN_PASSWORD'],
    ['a weak administrator', { ...real, ADMIN_EMAIL: 'a@b.test', ADMIN_PASSWORD: 'admin' }, 'ADMIN_PASSWORD'],
    ['a header in the sender', { MAIL_FROM: 'a@b.test\r\nBcc: c@d.test' }, 'MAIL_FROM'],
  ] as const)('with %s is refused', ([, source, variable]) => {
    expect(problemsOf(source)).toEqual([expect.stringMatching(new RegExp(`^${variable}\\b`))])
  })

  it.for([
    'https://login.example.test/tenant',
    'http://127.0.0.1:9000',
    'http://localhost:9000',
    'http://[::1]:9000',
  ])('may name %s as provider', (issuer) => {
    expect(readEnv({ ...oidc, OIDC_ISSUER: issuer, PASSWORD_LOGIN: 'off' })).toMatchObject({
      singleSignOn: { issuer, callback: 'http://localhost:3000/api/Login/oidc/callback' },
      passwordLogin: false,
    })
  })

  it('reports all problems at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', RETENTION_DAYS: '0' })).toHaveLength(3)
  })

  it.for([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.5', false],
    ['127.evil.test', false],
  ] as const)('knows whether %s is this machine', ([host, expected]) => {
    expect(isLoopback(host)).toBe(expected)
  })
})

describe("README's table of settings", () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| ([^|]*?) ?\|/gm)].flatMap(
    ([, names, defaults]) => {
      const values = defaults.split(', ')
      return names.split(', ').map((name, index) => [name.replaceAll('`', ''), values[index] ?? ''] as const)
    },
  )
  const defaults = Object.entries({ ...settings.parse({}), LOG_LEVEL: readEnv(real).logLevel }).filter(
    ([name, value]) => value !== undefined && name !== 'VALIDATOR_PROCESSES',
  )

  it('lists every setting of env.ts, and no other', () => {
    expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(settings.shape).toSorted())
  })

  it.for(defaults)('gives the default of %s', ([name, value]) => {
    expect(Object.fromEntries(rows)[name]).toContain(`\`${value}\``)
  })
})
