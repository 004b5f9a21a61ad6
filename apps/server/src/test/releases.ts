import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledPrograms, writeBundle } from '#test/bundled-programs.ts'
import { programEnv } from '#test/portal-process.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')
/** Not in node_modules, where Node strips no types: its threads run from their sources. */
const KEPT_RELEASES = join(ROOT, '.cache/releases')
const KEPT_MILLISECONDS = 60 * 60 * 1000
/** Its validator may read packages only. */
const BUNDLE = 'node_modules/.cache/server/bundle'

/** The release before this one. To be changed with the version, in the first commit after a release. */
export const PREVIOUS_RELEASE = '28b8b9e2'

/** A release in a folder of its own, with the packages that are installed here. */
export type Release = {
  /** Its program, for `startPortalProcess`. */
  main: string
  /** Its environment: what it compiles goes into its own folder, and with that. */
  env: Record<string, string>
  /** Runs `main`, or a program of `commands/`, to its end. */
  run(program: string, settings: Record<string, string>, ...args: string[]): Outcome
  remove(): void
}
type Outcome = { status: number | null; stdout: string; stderr: string }

/** This checkout itself. */
export async function thisRelease(): Promise<Release> {
  const bundle = await bundledPrograms()
  return { ...releaseOf(programEnv(), bundle), remove() {} }
}

/**
 * A commit of this repository, kept with what it compiles for later runs: to unpack and bundle it and to
 * compile its programs takes 2.4 s of processor time.
 */
export async function takeRelease(commit: string): Promise<Release> {
  const stamp = createHash('sha256').update(ROOT)
  // What makes it, and the packages that are bundled with it.
  for (const path of [import.meta.filename, join(import.meta.dirname, 'bundled-programs.ts'), INSTALLED])
    stamp.update(readFileSync(path))
  const folder = join(KEPT_RELEASES, `${commit}-${stamp.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) await keepRelease(commit, folder)
  return { ...releaseIn(folder, join(folder, BUNDLE)), remove() {} }
}

async function keepRelease(commit: string, folder: string): Promise<void> {
  const { status, stdout } = spawnSync(
    'git',
    ['archive', commit, 'package.json', 'packages', 'apps/server'],
    { cwd: ROOT, maxBuffer: 1024 ** 3 },
  )
  if (status !== 0)
    throw new Error(`The release before this one, ${commit}, is not in this clone: git fetch --unshallow`)
  mkdirSync(KEPT_RELEASES, { recursive: true })
  const others = readdirSync(KEPT_RELEASES).map((name) => join(KEPT_RELEASES, name))
  // Beside the others, because a folder is renamed within a file system only.
  const own = mkdtempSync(join(KEPT_RELEASES, 'unfinished-'))
  execFileSync('tar', ['-x', '-C', own], { input: stdout })
  linkPackages(own)
  await writeBundle(join(own, BUNDLE), own)
  try {
    renameSync(own, folder)
  } catch (error) {
    // Another run was faster.
    if (!existsSync(folder)) throw error
    rmSync(own, { recursive: true })
  }
  for (const other of others)
    if (other !== folder && statSync(other).mtimeMs < Date.now() - KEPT_MILLISECONDS)
      rmSync(other, { recursive: true, force: true })
}

/** This checkout as a later version with more migrations, which are statements of SQL. */
export async function planRelease(
  version: string,
  migrations: readonly PlannedMigration[],
): Promise<Release> {
  const folder = newFolder()
  const bundle = await bundledPrograms()
  for (const part of ['packages', 'apps/server'])
    cpSync(join(ROOT, part), join(folder, part), {
      recursive: true,
      // The bundle has the code, except that of threads.
      filter: (path) => !/node_modules|(?<!-worker)\.ts$/.test(path),
    })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', version }))
  for (const { name, says, statement } of migrations)
    writeFileSync(
      join(folder, 'apps/server/src/platform/database/migrations', `${name}.sql`),
      `-- ${says}\n${statement}`,
    )
  linkPackages(folder)
  const copy = join(folder, relative(ROOT, bundle))
  cpSync(bundle, copy, { recursive: true })
  return releaseIn(folder, copy)
}

/** `says`: its first line, such as `additive`. */
export type PlannedMigration = { name: string; says: string; statement: string }

const newFolder = () => mkdtempSync(join(tmpdir(), 'veridict-release-'))

/** Links the packages that are installed here, and of the project those of `folder`, which may be moved. */
function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@veridict'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@veridict' && !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join('../../packages', name), join(packages, '@veridict', name))
}

function releaseIn(folder: string, bundle: string): Release {
  const env = { ...programEnv(), NODE_COMPILE_CACHE: join(folder, 'compiled') }
  return { ...releaseOf(env, bundle), remove: () => rmSync(folder, { recursive: true }) }
}

const releaseOf = (env: Record<string, string>, bundle: string) => ({
  main: join(bundle, 'main.js'),
  env,
  run: (program: string, settings: Record<string, string>, ...args: string[]): Outcome =>
    spawnSync(process.execPath, [join(bundle, `${program}.js`), ...args], {
      encoding: 'utf8',
      env: { ...env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...settings },
    }),
})
