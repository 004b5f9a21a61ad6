// The script of a measured process: runs one program, named by its module, on one job. The last line of its
// output is what it found.
import type { Job, Program } from '../findings.ts'

// Importing it, like `console`, would load streams, which not every program needs.
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs')
const [modulePath, jobPath] = process.argv.slice(2)
const { run } = (await load(modulePath)) as { run: Program }
const counts = await run(JSON.parse(readFileSync(jobPath, 'utf8')) as Job)
writeSync(1, `${JSON.stringify(counts)}\n`)
// Some programs leave threads or handles open, which would delay the end.
process.exit()

/** Only our programs are bundles, so other programs do not load this code. */
async function load(path: string): Promise<object> {
  if (!path.endsWith('.cjs')) return (await import(path)) as object
  const { loadBundle } = await import('../../apps/cli/src/fresh-bundle.ts')
  return loadBundle(path)
}
