// `npm run build`: an installation that its programs only read: packages, the page, the command line.
import { bootstrap, bundleScript } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'
import { buildPage } from './build-page.mjs'

await bootstrap({ tools: false })
await buildPage()
process.exit((await runTool([bundleScript], { stdio: 'inherit' })).code)
