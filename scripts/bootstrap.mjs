// The first step of `npm start` and `npm test`: installs missing packages. This file and its imports are
// plain JavaScript for Node 18 and npm 9, because the pinned Node 26 is itself one of the packages.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './bootstrap/install-packages.mjs'
import { cache, pinnedNode, root } from './bootstrap/paths.mjs'

export { pinnedNode, root }
/** A script for the pinned Node: bundles the command line if its sources have changed. */
export const bundleScript = join(root, 'apps/cli/src/make-bundle.ts')

const stampFile = join(root, 'node_modules/.veridict-installed')

/**
 * Installs packages if node_modules differs from the lock file, and repairs what npm may have skipped.
 * Without `tools` it leaves out `devDependencies`, more than half, which only development and tests need.
 */
export async function bootstrap({ tools = true } = {}) {
  if (!isInstalled(tools)) await withLock(join(cache, 'installing'), () => install(tools))
  // Programs that we start find the pinned Node first, as in the scripts of npm.
  process.env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
}

async function install(tools) {
  if (isInstalled(tools)) return
  await installPackages(tools)
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
    'bench/package.json',
    ...workspaces.map((folder) => join(folder, 'package.json')),
  ]
  return files.map((file) => join(root, file)).filter((file) => existsSync(file))
}

/** Two installations into one folder would both fail. */
async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 500))
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** A link creates the lock file with its content at once: other processes would delete an empty one. */
function take(lock) {
  const own = `${lock}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, lock)
    return true
  } catch {
    if (existsSync(lock) && !isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bootstrap()
