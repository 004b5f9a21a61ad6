import '../apps/cli/src/require-node.mjs'

if (process.argv.includes('--in-browser')) await (await import('../scripts/build-page.mjs')).buildPage()
await import('./corpus/main.ts')
