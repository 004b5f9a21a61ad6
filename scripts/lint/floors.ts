import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Imports that a folder refuses: globs (with `!`: exceptions), or a regular expression. */
export type Refusal = { message: string; group: string[] } | { message: string; regex: string }

/**
 * Who may import whom. No file may belong to two floors: of two overrides for one file oxlint silently
 * ignores the first. `scripts/guards/lint-floors.test.ts` breaks every refusal.
 */
export type Floor = {
  folder: string
  refusals: Refusal[]
  /** Where it is not all files of the folder. */
  files?: string[]
  excludeFiles?: string[]
}

const noParents: Refusal = {
  group: ['../**'],
  message:
    `Inside a package use '#folder/file.ts' (package.json "imports"), not '../': ` +
    'floors go by the names of folders.',
}

const http = ['fastify', '@fastify/*', 'fastify-*']
const database = ['kysely', 'pg', 'pg-boss']
const wholeEngine = ['@veridict/engine', '@veridict/engine/*', '@veridict/engine-node']

const engineSource = 'packages/engine/src'

/** What no file of the engine may import. */
const outsideEngine: Refusal[] = [
  { ...noParents, group: ['../**', '!../**/test/**'] },
  {
    regex: '^node:',
    message:
      'The engine uses no files, network or clock. What differs between server and browser is passed in ' +
      "through 'platform.ts'; the code for Node is in engine-node.",
  },
  {
    group: ['@veridict/contract/api/*', '@veridict/contract/forms/*'],
    message: 'The engine does not depend on the API: import contract/{model,messages,notation,limits}.',
  },
  {
    group: [
      '@veridict/engine-node',
      '@veridict/server',
      '@veridict/web',
      '@veridict/cli',
      'react',
      'fastify',
    ],
    message: 'The engine is below everything that uses it.',
  },
]

/** The folders of the engine, and which others each may import. Tests may import any. */
const engineFolders: Readonly<Record<string, readonly string[]>> = {
  formats: [],
  'fast-path': ['formats'],
  rules: ['formats', 'fast-path'],
  compile: ['formats', 'fast-path', 'rules'],
  source: ['formats', 'fast-path', 'compile'],
  header: ['formats', 'compile', 'source'],
  causes: ['formats', 'fast-path', 'compile', 'source'],
  rows: ['formats', 'compile', 'source', 'causes'],
  output: ['formats', 'compile', 'source', 'header', 'causes', 'rows'],
  'dictionary-file': ['formats', 'rules', 'source', 'output'],
  inference: ['formats', 'fast-path', 'rules', 'source'],
}

const engine: Floor[] = [
  {
    folder: engineSource,
    files: [`${engineSource}/*.ts`, `${engineSource}/**/*.test.ts`],
    refusals: outsideEngine,
  },
  ...Object.entries(engineFolders).map(([folder, below]) => ({
    folder: `${engineSource}/${folder}`,
    excludeFiles: [`${engineSource}/${folder}/**/*.test.ts`],
    refusals: [
      ...outsideEngine,
      {
        group: Object.keys(engineFolders)
          .filter((other) => other !== folder && !below.includes(other))
          .map((other) => `#${other}/**`),
        message: `The engine's ${folder}/ imports of its other folders only: ${below.join(', ') || 'none'}.`,
      },
    ],
  })),
]

const packages: Floor[] = [
  {
    folder: 'packages/contract',
    refusals: [
      {
        group: ['*', '!zod', '!vitest', '!fast-check', '!./*', '!#*', '!#*/**'],
        message: 'The contract imports zod and itself only: server, page and command line are built on it.',
      },
    ],
  },
  ...engine,
  {
    folder: 'packages/engine-node',
    refusals: [
      noParents,
      {
        group: [
          '@veridict/contract/api/*',
          '@veridict/contract/forms/*',
          '@veridict/server',
          '@veridict/web',
          '@veridict/cli',
          'fastify',
          'react',
        ],
        message:
          'engine-node gives the engine files, inflate and processes of Node; it does not know the portal.',
      },
    ],
  },
]

const serverRooms = [
  'routes',
  'http',
  'jobs',
  'live',
  'presenters',
  'services',
  'repositories',
  'policies',
  'mail',
  'drivers',
  'db',
]

type ServerRoom = {
  room: string
  /** Other rooms that it may import. */
  rooms?: string[]
  /** Single files of other rooms that it may import. */
  files?: string[]
  /** Packages, and `#deps.ts`, that it may not import. */
  not: string[]
  message: string
}

const serverRoom = ({ room, rooms = [], files = [], not, message }: ServerRoom): Floor => ({
  folder: `apps/server/src/${room}`,
  refusals: [
    noParents,
    {
      group: [
        ...serverRooms
          .filter((other) => other !== room && !rooms.includes(other))
          .map((other) => `#${other}/**`),
        '#app.ts',
        '#build-deps.ts',
        '#main.ts',
        '#commands/**',
        ...not,
        ...files.map((file) => `!${file}`),
      ],
      message,
    },
  ],
})

const server: Floor[] = [
  {
    room: 'db',
    not: ['#deps.ts', ...http, 'pg-boss'],
    message: 'db/ is the lowest room of the server: contract and errors only.',
  },
  {
    room: 'drivers',
    rooms: ['db'],
    not: ['#deps.ts', ...http, 'pg-boss'],
    message: 'drivers/ are the outside world behind small interfaces: contract, errors and types of db only.',
  },
  {
    room: 'policies',
    not: ['#deps.ts', ...http, ...database],
    message: 'policies/ are pure functions of values, who may do what: contract and errors only.',
  },
  {
    room: 'mail',
    not: ['#deps.ts', ...http, ...database, 'nodemailer'],
    message: 'mail/ has one pure function for each e-mail: contract and errors only.',
  },
  {
    room: 'repositories',
    rooms: ['policies', 'db'],
    files: ['#drivers/leases.ts'],
    not: ['#deps.ts', ...http, 'pg-boss'],
    message: 'repositories/ are SQL and return rows: contract, errors, db and policies only.',
  },
  {
    room: 'services',
    rooms: ['repositories', 'policies', 'mail', 'drivers', 'db'],
    not: [...http, 'pg-boss', 'pg', 'ws'],
    message:
      'services/ know neither HTTP nor jobs nor sockets: start later work through the interface JobQueue ' +
      'and announce changes through StatusBus (drivers/).',
  },
  {
    room: 'presenters',
    rooms: ['services', 'repositories', 'policies', 'db'],
    not: [...http, ...database],
    message: 'presenters/ turn a row into the shape of the API and do nothing else.',
  },
  {
    room: 'routes',
    rooms: ['http', 'presenters', 'services', 'policies'],
    files: ['#drivers/tokens.ts'],
    not: database,
    message:
      'routes/ call a service and present what it returns: services, presenters, http and contract only.',
  },
  {
    room: 'http',
    rooms: ['services', 'repositories', 'policies', 'drivers', 'db'],
    not: database,
    message: 'http/ is what every request passes: it knows no route, presenter, job or socket.',
  },
  {
    room: 'jobs',
    rooms: ['services', 'policies', 'mail', 'drivers', 'db'],
    not: http,
    message: 'jobs/ call services (and their own queue), nothing of HTTP or sockets.',
  },
  {
    room: 'live',
    rooms: ['services', 'policies', 'mail', 'drivers', 'db'],
    not: ['pg-boss'],
    message: 'live/ sends changes to sockets: services, policies and contract only.',
  },
].map(serverRoom)

const noEngine: Refusal = {
  group: wholeEngine,
  message:
    'The page itself checks nothing but a single value in the form of a field (features/fields); files are ' +
    'validated in a worker (workers/) and by the server.',
}

/** The form of a field may check a value with the engine's rules. */
const onlyTryField: Refusal[] = [
  { group: ['@veridict/engine/*', '!@veridict/engine/try-field', '@veridict/engine-node'] },
  { regex: '^@veridict/engine$' },
].map((refused) => ({
  ...refused,
  message:
    "The form of a field checks a value with the engine's own rules: only through " +
    "'@veridict/engine/try-field', loaded when it is needed.",
}))

const ROOT = join(import.meta.dirname, '../..')
const featureFolders = globSync('apps/web/src/features/*', { cwd: ROOT }).sort()

const feature = (folder: string): Floor => ({
  folder,
  refusals: [
    noParents,
    {
      group: ['#screens/**', '#app/**', '!#app/paths.ts'],
      message: "A feature imports neither screens nor the app (except the addresses, '#app/paths.ts').",
    },
    {
      group: ['#features/**', `!${folder.replace('apps/web/src/', '#')}/**`],
      message:
        'Features do not import each other: a screen combines them, and shared code moves to ui/ or lib/.',
    },
    ...(folder.endsWith('/fields') ? onlyTryField : [noEngine]),
  ],
})

const web: Floor[] = [
  {
    folder: 'apps/web/src/lib',
    refusals: [
      noParents,
      {
        group: ['#features/**', '#screens/**', '#app/**', '#ui/**', '#verdict/**', '#workers/**'],
        message: 'lib/ is plumbing below ui, features and screens: contract only.',
      },
      noEngine,
    ],
  },
  {
    folder: 'apps/web/src/ui',
    refusals: [
      noParents,
      {
        group: [
          '#features/**',
          '#screens/**',
          '#app/**',
          '#verdict/**',
          '#workers/**',
          '@veridict/contract/api/*',
          '@veridict/contract/model/*',
          '@veridict/contract/messages/*',
        ],
        message: 'ui/ is our kit over Mantine and knows no domain: what it shows arrives in props.',
      },
      noEngine,
    ],
  },
  {
    folder: 'apps/web/src/verdict',
    refusals: [
      noParents,
      {
        group: [
          '#features/**',
          '#screens/**',
          '#app/**',
          '#lib/**',
          '#workers/**',
          '@veridict/contract/api/*',
        ],
        message:
          'verdict/ shows what is wrong with a file, for every feature: plain data arrives in props, ' +
          'from a call or from the engine.',
      },
      noEngine,
    ],
  },
  {
    folder: 'apps/web/src/workers',
    refusals: [
      noParents,
      {
        group: [
          '#app/**',
          '#features/**',
          '#lib/**',
          '#screens/**',
          '#ui/**',
          '#verdict/**',
          'react',
          '@mantine/*',
          '@veridict/engine-node',
        ],
        message: 'workers/ run beside the page and show nothing: engine and contract only.',
      },
      {
        regex: '^@veridict/engine$',
        message: "A worker loads of the engine only what it uses: '@veridict/engine/validate-table'.",
      },
    ],
  },
  ...featureFolders.map(feature),
  {
    folder: 'apps/web/src/screens',
    refusals: [
      noParents,
      {
        group: ['#app/**', '!#app/paths.ts'],
        message:
          "A screen is mounted by the app and does not import it (except the addresses, '#app/paths.ts').",
      },
      noEngine,
    ],
  },
]

const commandLine: Floor = {
  folder: 'apps/cli',
  refusals: [
    noParents,
    {
      group: [
        '@veridict/server',
        '@veridict/server/**',
        '@veridict/web',
        '@veridict/web/**',
        'fastify',
        'react',
      ],
      message: 'The command line is the engine without the portal.',
    },
  ],
}

export const floors: readonly Floor[] = [...packages, ...server, ...web, commandLine]
