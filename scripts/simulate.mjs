// `npm run simulate -- --lives 10000 --seed 1`: simulates submissions under faults; docs/RELIABILITY.md.
import { spawnSync } from 'node:child_process'
import { bootstrap, pinnedNode } from './bootstrap.mjs'

await bootstrap()
const program = 'apps/server/test/simulation/main.ts'
const { status } = spawnSync(pinnedNode, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
