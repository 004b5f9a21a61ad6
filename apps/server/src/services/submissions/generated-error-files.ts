import type { Deps } from '#deps.ts'
import type { ErrorFileKind } from '#drivers/validator/validator.ts'
import { findKeptSources } from '#repositories/submissions.ts'

/**
 * The name of an error file in the cache. It has no id, which starts at 1 in every database: a cache folder
 * that moves to another database must not serve the files of the first.
 */
export const generatedErrorFileName = (storageKey: string, kind: ErrorFileKind): string =>
  `${storageKey}-${kind}.xlsx`

const GENERATED_ERROR_FILE = /^(?<storageKey>.+)-(?:errors|highlighted)\.xlsx$/

/**
 * Deletes the error files of submissions whose source is deleted: they contain its data and can no longer be
 * downloaded. Every process sweeps, because its cache may be its own. Returns the number of deleted files.
 */
export async function sweepGeneratedErrorFiles({
  db,
  generatedFiles,
}: Pick<Deps, 'db' | 'generatedFiles'>): Promise<number> {
  const files = (await generatedFiles.names()).flatMap((name) => {
    const storageKey = GENERATED_ERROR_FILE.exec(name)?.groups?.storageKey
    return storageKey === undefined ? [] : [{ name, storageKey }]
  })
  const kept = new Set(await findKeptSources(db, [...new Set(files.map(({ storageKey }) => storageKey))]))
  const unneeded = files.filter(({ storageKey }) => !kept.has(storageKey))
  for (const { name } of unneeded) await generatedFiles.delete(name)
  return unneeded.length
}
