import { join } from 'node:path'
import { freshBundle } from '../../apps/cli/src/fresh-bundle.ts'
import { loadDictionary } from '../../apps/cli/src/load-dictionary.ts'
import { makeBundle, sampleDictionary, sampleFiles } from '../../apps/cli/src/make-bundle.ts'
import type { Job } from '../findings.ts'

const bundleFolder = join(import.meta.dirname, '../data/bundle')

/** Bundles our programs with their code, like the command line; other programs run as published. */
export async function bundleOurs(): Promise<void> {
  const entryOf = (name: string) => join(import.meta.dirname, `${name}.ts`)
  const entries = { validate: entryOf('validate'), highlighted: entryOf('highlighted') }
  const { fields, ruleBook } = await loadDictionary(sampleDictionary)
  const jobs = sampleFiles.map((path): Job => ({
    path,
    dictionaryPath: sampleDictionary,
    fields,
    rules: ruleBook.rules,
    outputPath: '',
  }))
  const together = /bench.ours.validate\.ts$/
  await makeBundle({ folder: bundleFolder, entries, together, calls: { validate: jobs } })
}

/** One of our programs, as `bundleOurs` wrote it. */
export function bundledProgram(name: string): string {
  const bundle = freshBundle(bundleFolder)
  if (bundle === null) throw new Error('A source has changed since our programs were bundled.')
  return join(bundle, `${name}.cjs`)
}
