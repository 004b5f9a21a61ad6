// The first step of `npm start` and `npm test`: installs missing packages. This file and its imports are
// plain JavaScript for Node 18 and npm 9, because the pinned Node 26 is itself one of the packages.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './bootstrap/with-lock.mjs'
import { installPackages } from './bootstrap/install-packages.mjs'
import { repairNode, repairPostgres } from './bootstrap/repair-packages.mjs'
import { cache, pinnedNode, root } from './bootstrap/paths.mjs'

export { pinnedNode, root }
/** A script for the pinned Node: bundles the command line if its sources have changed. */
export const bundleScript = join(root, 'apps/cli/src/make-bundle.ts')

const stampFile = join(root, 'node_modules/.veridict-installed')

/**
 * Installs the packages of the lock file if node_modules differs from it, and repairs what npm may have
 * skipped. Without `tools` it leaves out `devDependencies`, more than half of the packages: only development
 * and tests need them.
 */
export async function bootstrap({ tools = true } = {}) {
  if (!isInstalled(tools)) await withLock(join(cache, 'installing'), () => install(tools))
  // Programs that we start find the pinned Node first, as in the scripts of npm.
  process.env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
}

async function install(tools) {
  if (isInstalled(tools)) return
  await installPackages(tools)
  repairNode()
  repairPostgres()
  writeFileSync(stampFile, stampOf(tools))
}

function isInstalled(tools) {
  if (!existsSync(stampFile) || !existsSync(pinnedNode)) return false
  const stamp = readFileSync(stampFile, 'utf8')
  return stamp === stampOf(true) || (!tools && stamp === stampOf(false))
}

const stampOf = (tools) => `${packageHash()}${tools ? ' with tools' : ''}`

/** Changes with every package file, and with the operating system and processor. */
function packageHash() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of packageFiles()) hash.update(readFileSync(file))
  return hash.digest('hex')
}

function packageFiles() {
  const workspaces = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  )
  const files = [
    'package.json',
    'package-lock.json',
    ...workspaces.map((folder) => join(folder, 'package.json')),
  ]
  return files.map((file) => join(root, file)).filter((file) => existsSync(file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bootstrap()
