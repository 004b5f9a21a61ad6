#!/usr/bin/env node
/**
 * Plain JavaScript, because it runs before any TypeScript: with the compile cache on, types are not stripped
 * again at every start, which saves half of a start from the sources, and 20 MB. The cache is in the project:
 * other users could put code into one in the temporary folder.
 */
import { fileURLToPath } from 'node:url'
import './require-node.mjs'
import './exit-with-2.mjs'

// Not imported by name: an old Node would fail on the missing export before its version is checked.
const { enableCompileCache } = process.getBuiltinModule('node:module')
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/veridict', import.meta.url)))
const { freshBundle, loadBundle } = await import('./fresh-bundle.ts')
const bundle = freshBundle()
const { run } = bundle === null ? await import('./run.ts') : loadBundle(`${bundle}/run.cjs`)
process.exitCode = await run(process.argv.slice(2))
