/**
 * Starts a thread that judges ranges. Plain JavaScript, because it must run before any TypeScript does: a thread does
 * not share the compile cache of its process by itself.
 */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

if (workerData.cacheFolder !== undefined) enableCompileCache(workerData.cacheFolder)
const { judgeRangesOf } = await import('./judge-ranges-of.ts')
parentPort.postMessage(await judgeRangesOf(workerData))
