import { type LayerRule, noParents, type Refusal } from './layer-rule.ts'

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

const engine: LayerRule[] = [
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

export const packageLayers: readonly LayerRule[] = [
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
