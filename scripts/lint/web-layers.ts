import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type LayerRule, noParents, type Refusal } from './layer-rule.ts'

const wholeEngine = ['@veridict/engine', '@veridict/engine/*', '@veridict/engine-node']

const noEngine: Refusal = {
  group: wholeEngine,
  message:
    'The page itself checks nothing but a single value in the form of a field (features/fields); files are ' +
    'validated in a worker (workers/) and by the server.',
}

/** Forms that may check values and rows with the engine's rules, and through what. */
const formsWithEngine: Readonly<Record<string, readonly string[]>> = {
  fields: ['@veridict/engine/try-field'],
  rules: ['@veridict/engine/try-row', '@veridict/engine/check-rule-book'],
}
const onlyEntries = (entries: readonly string[]): Refusal[] =>
  [
    { group: ['@veridict/engine/*', ...entries.map((entry) => `!${entry}`), '@veridict/engine-node'] },
    { regex: '^@veridict/engine$' },
  ].map((refused) => ({
    ...refused,
    message:
      "The form of a field or rule checks values with the engine's own rules: only through " +
      `${entries.map((entry) => `'${entry}'`).join(' and ')}, loaded when it is needed.`,
  }))

const ROOT = join(import.meta.dirname, '../..')
const featureFolders = globSync('apps/web/src/features/*', { cwd: ROOT }).sort()

const refusalsOfEngine = (entries: readonly string[] | undefined): Refusal[] =>
  entries === undefined ? [noEngine] : onlyEntries(entries)

const feature = (folder: string): LayerRule => ({
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
    ...refusalsOfEngine(formsWithEngine[folder.split('/').at(-1)!]),
  ],
})

export const webLayers: readonly LayerRule[] = [
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
