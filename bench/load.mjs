// `npm run load -- --part sockets`: starts a portal with a database of its own, measures it under load from
// other processes, and writes the figures into docs/RELIABILITY.md. Options: bench/load/main.ts.
import { bootstrap } from '../scripts/bootstrap.mjs'
import { runTool } from '../scripts/bootstrap/run-tool.mjs'

await bootstrap()
const { code } = await runTool(['bench/load/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(code)
