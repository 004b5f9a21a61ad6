/**
 * Starts a thread that judges one range. Plain JavaScript, because it must run before any TypeScript does: a thread does
 * not share the compile cache of its process by itself.
 */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

if (workerData.cacheFolder !== undefined) enableCompileCache(workerData.cacheFolder)
const { judgeRangeOf } = await import('./judge-range-of.ts')
parentPort.postMessage(await judgeRangeOf(workerData))
