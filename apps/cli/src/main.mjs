#!/usr/bin/env node
/**
 * Starts the command line. Plain JavaScript, because it must run before any TypeScript does: with the compile
 * cache on, the types that were stripped once are not stripped again, which saves half the time of a start
 * from the sources, and 20 MB. The cache lies in the project, not in the shared temporary folder, where
 * others could put code into it.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/veridict', import.meta.url)))
const { freshBundle } = await import('./fresh-bundle.ts')
const bundle = freshBundle()
const { run } = await (bundle === null ? import('./run.ts') : import(bundle))
process.exitCode = await run(process.argv.slice(2))
