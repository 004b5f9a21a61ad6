// Builds the web page into apps/web/dist when its sources changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bootstrap, root } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

const page = join(root, 'apps/web')
const stampFile = join(page, 'dist/.built-from')
/** Also writes which modules are in which script, for a test; the portal serves no hidden files. */
const build = `const { output } = await (await import('vite')).build({ logLevel: 'warn' })
  const parts = ['type', 'fileName', 'isEntry', 'imports', 'moduleIds', 'facadeModuleId']
  const text = JSON.stringify(output, parts).replaceAll(process.cwd() + '/', '')
  process.getBuiltinModule('node:fs').writeFileSync('dist/.parts.json', text)`

/** Exits with the build's output when it fails. */
export async function buildPage() {
  const stamp = stampOf(['apps/web', 'packages', 'scripts/build-page.mjs', 'package-lock.json'])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.log('Building the web page …')
  rmSync(stampFile, { force: true })
  const { code, output } = await runTool(['--input-type=module', '-e', build], {
    cwd: page,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) {
    console.error(`Building the web page failed.\n${output}`)
    process.exit(1)
  }
  writeFileSync(stampFile, stamp)
}

function stampOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => filesBelow(join(root, path))))
    hash.update(relative(root, path)).update(readFileSync(path))
  return hash.digest('hex')
}

/** Every file that can become part of the page, in a fixed order; no tests, nothing that the build writes. */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .filter((name) => !['node_modules', 'dist', 'test'].includes(name) && !/\.test\.tsx?$/.test(name))
    .flatMap((name) => filesBelow(join(path, name)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap()
  await buildPage()
}
