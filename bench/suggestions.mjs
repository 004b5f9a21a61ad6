import '../apps/cli/src/require-node.mjs'

await import('./suggestions/main.ts')
