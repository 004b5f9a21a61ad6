import type { OxlintConfig } from 'oxlint'
import { layerRules } from './scripts/lint/layer-rules.ts'

type Override = NonNullable<OxlintConfig['overrides']>[number]

const config: OxlintConfig = {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'vitest', 'promise'],
  categories: { correctness: 'error' },
  // AssemblyScript is no TypeScript.
  ignorePatterns: ['packages/engine/kernel/**', '**/dist/**', '**/node_modules/**', '.cache/**', 'data/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/expect-expect': 'off',
    'vitest/require-to-throw-message': 'off',
    'react/set-state-in-effect': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/no-misused-spread': 'off',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/no-conditional-expect': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'no-control-regex': 'off',
    // `then` is what a rule between cells demands, also on the wire.
    'unicorn/no-thenable': 'off',
    'vitest/valid-title': 'off',
  },
  overrides: [
    {
      files: ['**/*.{ts,tsx,mjs}'],
      excludeFiles: ['**/*.test.{ts,tsx}', '**/test/**', 'e2e/**'],
      rules: { 'max-lines-per-function': ['error', { max: 80, skipComments: true, skipBlankLines: true }] },
    },
    // Elsewhere, functions named `use…` are no hooks.
    { files: ['apps/web/src/**'], rules: { 'react/rules-of-hooks': 'error' } },
    ...layerRules.map(({ folder, refusals, files = [`${folder}/**`], excludeFiles = [] }): Override => ({
      files,
      excludeFiles,
      rules: { 'no-restricted-imports': ['error', { patterns: refusals }] },
    })),
  ],
}

export default config
