import { join } from 'node:path'
import { makeBundle } from '../../apps/cli/src/make-bundle.ts'

export const bundleFolder = join(import.meta.dirname, '../data/bundle')

/** Bundles our programs into a few files, like the command line; other programs run as published. */
export async function bundleOurs(): Promise<void> {
  const entryOf = (name: string) => [name, join(import.meta.dirname, `${name}.ts`)]
  const entries = Object.fromEntries(['validate', 'highlighted', 'errors'].map(entryOf)) as Record<
    string,
    string
  >
  await makeBundle({ folder: bundleFolder, entries, together: /bench.ours.validate\.ts$/ })
}
