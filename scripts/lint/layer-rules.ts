import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type LayerRule, noParents, type Refusal, refuseOthers } from './layer-rule.ts'
import { serverLayers } from './server-layers.ts'

const ofApi = ['@veridict/contract/api/*', '@veridict/contract/forms/*']
const portal = ['@veridict/server', '@veridict/server/**', '@veridict/web', '@veridict/web/**']
const frameworks = ['fastify', 'react']

const packages: LayerRule[] = [
  {
    folder: 'packages/contract',
    refusals: [
      {
        group: ['*', '!zod', '!vitest', '!fast-check', '!./*', '!#*', '!#*/**'],
        message: 'The contract imports zod and itself only: server, page and command line are built on it.',
      },
    ],
  },
  {
    folder: 'packages/engine-node',
    refusals: [
      noParents,
      {
        group: [...ofApi, ...portal, '@veridict/cli', ...frameworks],
        message:
          'engine-node gives the engine files, inflate and processes of Node; it does not know the portal.',
      },
    ],
  },
  {
    folder: 'apps/cli',
    refusals: [
      noParents,
      { group: [...portal, ...frameworks], message: 'The command line is the engine without the portal.' },
    ],
  },
]

const engine = 'packages/engine/src'

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
    group: ofApi,
    message: 'The engine does not depend on the API: import contract/{model,messages,notation,limits}.',
  },
  {
    group: ['@veridict/engine-node', ...portal, '@veridict/cli', ...frameworks],
    message: 'The engine is below everything that uses it.',
  },
]

/** The folders of the engine, and which others each may import. Tests may import any. */
const engineFolders: Readonly<Record<string, readonly string[]>> = {
  formats: [],
  'fast-path': ['formats'],
  known: [],
  likeness: ['known'],
  rules: ['formats', 'fast-path', 'known', 'likeness'],
  compile: ['formats', 'fast-path', 'likeness', 'rules'],
  formulas: ['formats', 'rules'],
  'row-rules': ['formats', 'fast-path', 'rules', 'compile'],
  source: ['formats', 'fast-path', 'compile', 'row-rules'],
  header: ['formats', 'likeness', 'compile', 'source'],
  causes: ['formats', 'fast-path', 'known', 'likeness', 'compile', 'row-rules', 'source'],
  rows: ['formats', 'compile', 'row-rules', 'source', 'causes'],
  output: ['formats', 'compile', 'row-rules', 'source', 'header', 'causes', 'rows', 'formulas'],
  'dictionary-file': ['formats', 'formulas', 'likeness', 'rules', 'source', 'output'],
  inference: ['formats', 'fast-path', 'rules', 'source'],
}

const engineLayers: LayerRule[] = [
  { folder: engine, files: [`${engine}/*.ts`, `${engine}/**/*.test.ts`], refusals: outsideEngine },
  ...Object.entries(engineFolders).map(([folder, below]) => ({
    folder: `${engine}/${folder}`,
    excludeFiles: [`${engine}/${folder}/**/*.test.ts`],
    refusals: [
      ...outsideEngine,
      refuseOthers(
        Object.keys(engineFolders),
        [folder, ...below],
        `The engine's ${folder}/ imports of its other folders only: ${below.join(', ') || 'none'}.`,
      ),
    ],
  })),
]

const noEngine: Refusal = {
  group: ['@veridict/engine', '@veridict/engine/*', '@veridict/engine-node'],
  message:
    'The page itself checks nothing but a single value in the form of a field (features/fields); files are ' +
    'validated in a worker (workers/) and by the server.',
}

/** Forms that may check values and rows with the engine's rules, and through what. */
const formsWithEngine: Readonly<Record<string, readonly string[]>> = {
  'features/fields': ['@veridict/engine/try-field'],
  'features/rules': ['@veridict/engine/try-row', '@veridict/engine/check-rule-book'],
}
function refuseEngineBut(entries: readonly string[] = []): Refusal[] {
  if (entries.length === 0) return [noEngine]
  const message =
    "The form of a field or rule checks values with the engine's own rules: only through " +
    `${entries.map((entry) => `'${entry}'`).join(' and ')}, loaded when it is needed.`
  const group = ['@veridict/engine/*', ...entries.map((entry) => `!${entry}`), '@veridict/engine-node']
  return [
    { message, group },
    { message, regex: '^@veridict/engine$' },
  ]
}

const web = 'apps/web/src'
const webFolders = ['app', 'features', 'lib', 'screens', 'ui', 'verdict', 'workers']
const features = globSync('features/*', { cwd: join(import.meta.dirname, '../..', web) }).sort()

/** A folder of the page, what it imports of the other folders, why no more, and what else it refuses. */
const webLayer = (
  folder: string,
  allowed: readonly string[],
  message: string,
  {
    more = [],
    engine = refuseEngineBut(formsWithEngine[folder]),
  }: { more?: string[]; engine?: Refusal[] } = {},
): LayerRule => ({
  folder: `${web}/${folder}`,
  refusals: [noParents, refuseOthers(webFolders, [folder, ...allowed], message, more), ...engine],
})

const webLayers: LayerRule[] = [
  webLayer('lib', [], 'lib/ is plumbing below ui, features and screens: contract only.'),
  webLayer(
    'ui',
    ['lib'],
    'ui/ is our kit over Mantine and knows no domain: what it shows arrives in props.',
    { more: ['api', 'model', 'messages'].map((folder) => `@veridict/contract/${folder}/*`) },
  ),
  webLayer(
    'verdict',
    ['ui'],
    'verdict/ shows what is wrong with a file, for every feature: plain data arrives in props, ' +
      'from a call or from the engine.',
    { more: ['@veridict/contract/api/*'] },
  ),
  webLayer('workers', [], 'workers/ run beside the page and show nothing: engine and contract only.', {
    more: ['react', '@mantine/*', '@veridict/engine-node'],
    engine: [
      {
        regex: '^@veridict/engine$',
        message: "A worker loads of the engine only what it uses: '@veridict/engine/validate-table'.",
      },
    ],
  }),
  ...features.map((feature) =>
    webLayer(
      feature,
      ['lib', 'ui', 'verdict', 'workers', 'app/paths.ts', 'features/impacts'],
      "A feature imports neither the app (except the addresses, '#app/paths.ts') nor screens nor other " +
        'features (except the button that tries what forms would save): a screen combines them, and shared ' +
        'code moves to ui/ or lib/.',
    ),
  ),
  webLayer(
    'screens',
    ['lib', 'ui', 'verdict', 'workers', 'features', 'app/paths.ts'],
    "A screen is mounted by the app and does not import it (except the addresses, '#app/paths.ts').",
  ),
]

/** Who may import whom, everywhere in the project. */
export const layerRules: readonly LayerRule[] = [...packages, ...engineLayers, ...serverLayers, ...webLayers]
