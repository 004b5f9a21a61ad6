import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** The pinned Node, which runs TypeScript without a build. */
export const pinnedNode = join(root, 'node_modules/node/bin/node')
/** Files that can be generated again at any time. */
export const cache = join(root, '.cache')

/** Ends the run with a sentence for the person who started it. */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}
