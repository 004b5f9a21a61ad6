// Runs commands of a new bundle and writes what V8 compiled for them beside its files, for `loadBundle`:
// node write-code.ts BUNDLE/run.cjs '[["validate", "file.csv", …], …]'
import { writeFileSync } from 'node:fs'
import type { Script } from 'node:vm'
import { CODE_ENDING, loadBundle } from '#fresh-bundle.ts'

const [path, calls] = process.argv.slice(2)
const scripts = new Map<string, Script>()
const { run } = loadBundle(path, scripts) as { run: (input: unknown) => Promise<unknown> }
for (const call of JSON.parse(calls) as unknown[]) await run(call)
for (const [name, script] of scripts)
  writeFileSync(name + CODE_ENDING, script.createCachedData(), { flush: true })
