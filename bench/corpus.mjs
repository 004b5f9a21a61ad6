import '../apps/cli/src/require-node.mjs'

await import('./corpus/main.ts')
