/**
 * Starts a thread that judges ranges. Plain JavaScript, because it must run before any TypeScript does: a
 * thread does not share the compile cache of its process by itself.
 */
import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

if (workerData.cacheFolder !== undefined) enableCompileCache(workerData.cacheFolder)
const asked = once(parentPort, 'message')
const { validateFileRanges } = await import('./validate-file-ranges.ts')
const [task] = await asked
parentPort.postMessage(await validateFileRanges(task))
