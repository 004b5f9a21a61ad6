/** Plain JavaScript: it enables the compile cache, which threads do not share, before TypeScript loads. */
import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

// Node's folder is named after its version, inside the folder that was set.
if (workerData.cacheFolder !== undefined) enableCompileCache(dirname(workerData.cacheFolder))
const message = once(parentPort, 'message')
const { filterFile } = await import('./filter-file.ts')
const [task] = await message
await filterFile(task, (result, moved) => parentPort.postMessage(result, moved))
parentPort.postMessage(null)
