// `node scripts/run.mjs <program> [options]`: runs a program of the project with the pinned Node, after
// installing what is missing: for `npm run load`, `simulate`, `corpus`, `suggestions` and `fix`.
import { bootstrap } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

await bootstrap()
process.exit((await runTool(process.argv.slice(2), { stdio: 'inherit' })).code)
