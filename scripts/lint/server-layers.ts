import { type LayerRule, noParents, type Refusal, refuseOthers } from './layer-rule.ts'

const server = 'apps/server/src'

/** The nouns of the server in order: each may import only the named files of those above it. */
export const publicFiles: Readonly<Record<string, readonly string[]>> = {
  audit: ['keep-audit-trail.ts', 'record-audit.ts'],
  mail: ['mail-message.ts', 'mails.ts', 'queue-mail.ts'],
  webhooks: ['deliver-webhooks.ts', 'webhooks.ts'],
  users: [
    'end-user-sessions.ts',
    'identities.ts',
    'password-links.ts',
    'password-login.ts',
    'password-problem.ts',
    'send-password-link.ts',
    'sessions.ts',
    'users.ts',
  ],
  session: ['wrong-passwords.ts'],
  dictionaries: ['company-dictionaries.ts', 'dictionaries.ts', 'remembered-answers.ts', 'rule-books.ts'],
  companies: ['companies.ts'],
  submissions: [
    'delete-unneeded.ts',
    'row-reports.ts',
    'side-file.ts',
    'submission-claims.ts',
    'submission-moves.ts',
    'submission-sources.ts',
    'submissions.ts',
    'target-path.ts',
  ],
  impacts: ['impacts.ts'],
  operations: [],
}

/** The folders of the platform, and which others each may import. */
const platformFolders: Readonly<Record<string, readonly string[]>> = {
  database: [],
  mail: [],
  webhooks: [],
  access: ['database'],
  admission: ['database'],
  identity: ['database'],
  signing: ['database'],
  storage: ['database'],
  validator: ['admission', 'database', 'storage'],
  telemetry: ['database', 'mail', 'storage', 'validator'],
  jobs: ['database', 'storage'],
  live: ['database', 'jobs'],
  http: ['access', 'admission', 'database', 'identity', 'live', 'storage', 'telemetry'],
}

/** Packages that only these folders of the platform import. */
const owners: Readonly<Record<string, readonly string[]>> = {
  pg: ['database', 'live'],
  nodemailer: ['mail'],
  ...Object.fromEntries(['fastify', '@fastify/*', 'fastify-*'].map((name) => [name, ['http']])),
}

/** What starts and connects the server. */
const program: Refusal = {
  group: [
    '#app.ts',
    '#build-deps.ts',
    '#job-list.ts',
    '#main.ts',
    '#periodic-work.ts',
    '#portal.ts',
    '#start-jobs.ts',
    '#commands/**',
  ],
  message: 'The files of the program import the nouns and the platform, never the other way round.',
}

const noNouns: Refusal = {
  group: Object.keys(publicFiles).map((noun) => `#${noun}/**`),
  message: 'The platform knows no noun: nouns are built on it.',
}

const platformFolder = (name: string) => `platform/${name}`
const platformRule = ([folder, below]: [string, readonly string[]]): LayerRule => ({
  folder: `${server}/platform/${folder}`,
  excludeFiles: [`${server}/platform/${folder}/**/*.test.ts`],
  refusals: [
    noParents,
    program,
    noNouns,
    refuseOthers(
      Object.keys(platformFolders).map(platformFolder),
      [folder, ...below].map(platformFolder),
      `platform/${folder} imports of its other folders only: ${below.join(', ') || 'none'}.`,
      Object.keys(owners).filter((name) => !owners[name].includes(folder)),
    ),
  ],
})

/** Only calls know HTTP, so that jobs and commands can run a service; and they leave SQL to others. */
const calls = ['**/mount-*.ts', 'login-place.ts']

function nounRules(noun: string, at: number): LayerRule[] {
  const folder = `${server}/${noun}`
  const names = Object.keys(publicFiles)
  const below = names.slice(0, at)
  const refusals: Refusal[] = [
    noParents,
    program,
    refuseOthers(
      names,
      [noun, ...below.flatMap((other) => publicFiles[other].map((file) => `${other}/${file}`))],
      `${noun}/ imports the platform, and of ${below.join(', ') || 'other nouns nothing'} only ` +
        'the files that scripts/lint/server-layers.ts names.',
    ),
    { group: ['pg', 'nodemailer'], message: 'These belong to the platform.' },
  ]
  const files = calls.map((name) => `${folder}/${name}`)
  return [
    {
      folder,
      files,
      refusals: [
        ...refusals,
        { group: ['kysely'], message: 'A call runs a service and presents what it returns: no SQL.' },
      ],
    },
    {
      folder,
      excludeFiles: [...files, `${folder}/**/*.test.ts`],
      refusals: [
        ...refusals,
        {
          group: ['#platform/http/**', 'fastify', '@fastify/*', 'fastify-*'],
          message: 'Only the calls of a noun (mount-….ts) know HTTP: jobs and commands use the rest, too.',
        },
      ],
    },
  ]
}

export const serverLayers: readonly LayerRule[] = [
  { folder: server, files: [`${server}/**/*.test.ts`], refusals: [noParents] },
  {
    folder: `${server}/platform`,
    files: [`${server}/platform/*.ts`],
    excludeFiles: [`${server}/**/*.test.ts`],
    refusals: [noParents, program, noNouns],
  },
  ...Object.entries(platformFolders).map(platformRule),
  ...Object.keys(publicFiles).flatMap(nounRules),
]
