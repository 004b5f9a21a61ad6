import type { Deps } from '#deps.ts'
import type { ErrorFileKind } from '#drivers/validator/validator.ts'
import { findKeptSources } from '#repositories/submissions.ts'

/**
 * What an error file is called in the cache. Not by the id, which counts from 1 in every database: whoever
 * gives the folder to another one must not find the files of strangers.
 */
export const generatedErrorFileName = (storageKey: string, kind: ErrorFileKind): string =>
  `${storageKey}-${kind}.xlsx`

const MADE_ERROR_FILE = /^(?<storageKey>.+)-(?:errors|highlighted)\.xlsx$/

/**
 * Deletes error files of submissions whose source is deleted: they hold its data, and nobody gets them any
 * more. Each process sweeps for itself, for the cache may be its own. Answers how many.
 */
export async function sweepGeneratedErrorFiles({
  db,
  generatedFiles,
}: Pick<Deps, 'db' | 'generatedFiles'>): Promise<number> {
  const made = (await generatedFiles.names()).flatMap((name) => {
    const storageKey = MADE_ERROR_FILE.exec(name)?.groups?.storageKey
    return storageKey === undefined ? [] : [{ name, storageKey }]
  })
  const kept = new Set(await findKeptSources(db, [...new Set(made.map(({ storageKey }) => storageKey))]))
  const spent = made.filter(({ storageKey }) => !kept.has(storageKey))
  for (const { name } of spent) await generatedFiles.forget(name)
  return spent.length
}
