// `npm run bench`: installs missing packages (of the portal, then of the peers), and measures with the
// pinned Node. Options: see options.ts, or `npm run bench -- --help`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bootstrap, bundleScript } from '../scripts/bootstrap.mjs'
import { runTool } from '../scripts/bootstrap/run-tool.mjs'

const folder = dirname(fileURLToPath(import.meta.url))
const peers = join(folder, 'peers')
const stampFile = join(peers, 'node_modules/.installed')

await bootstrap()
installPeers()
await runTool([bundleScript], { stdio: 'inherit' })
process.exit((await runTool(['bench/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' })).code)

/** The peers have their own lock file and are installed once for each state of it. */
function installPeers() {
  const stamp = createHash('sha256')
    .update(readFileSync(join(peers, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log('Installing the programs to compare with (once, about 170 MB) …')
  // Not `npm ci`: it refuses a lock file without DuckDB's binaries for every platform, and few registries
  // have them all.
  const npm = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
    cwd: peers,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (npm.status !== 0) {
    console.error('Installing the programs to compare with failed.')
    process.exit(1)
  }
  writeFileSync(stampFile, stamp)
}
