// The first step of `npm start` and `npm test`: installs what is missing. It and what it imports are plain
// JavaScript that Node 18 and npm 9 can run, because the pinned Node 26 is itself one of the packages that
// are installed here.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './bootstrap/with-lock.mjs'
import { installPackages } from './bootstrap/install-packages.mjs'
import { repairNode, repairPostgres } from './bootstrap/repair-packages.mjs'
import { cache, pinnedNode, root } from './bootstrap/paths.mjs'

export { pinnedNode, root }
/** Run by the pinned Node, it bundles the command line where that is due. */
export const bundleScript = join(root, 'apps/cli/src/make-bundle.ts')

const stampFile = join(root, 'node_modules/.veridict-installed')

/**
 * Installs packages when the lock file asks for others than are there, and mends what npm may have left out.
 */
export async function bootstrap() {
  if (!isInstalled()) await withLock(join(cache, 'installing'), install)
  // Scripts and tools that we start find the pinned Node first, as npm arranges it for its own scripts.
  process.env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
}

async function install() {
  if (isInstalled()) return
  await installPackages()
  repairNode()
  repairPostgres()
  writeFileSync(stampFile, wantedStamp())
}

const isInstalled = () =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp() && existsSync(pinnedNode)

/** Changes when a package file does, and when the folder is used from another kind of machine. */
function wantedStamp() {
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
