import { createHash } from 'node:crypto'
import type { WrittenChoice } from '@veridict/contract/notation/correction-answers'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { ErrorFileKind } from '#platform/validator/validator.ts'
import { findSourcesInUse } from '#submissions/submission-sources.ts'

/**
 * The name of an error file in the cache. It has no id, which starts at 1 in every database: a cache folder
 * that moves to another database must not serve the files of the first.
 */
export const generatedErrorFileName = (storageKey: string, kind: ErrorFileKind): string =>
  `${storageKey}-${kind}.xlsx`

/** Raised when a copy of the same causes gets other values, so that none from before is served. */
const COPY_REVISION = 4

/**
 * The name of a corrected copy in the cache. Ids and answers may hold any characters, so the name has a hash
 * of them.
 */
export function generatedCopyName(
  storageKey: string,
  { causes, choose, map }: WrittenChoice,
  fileKind: SubmissionRow['fileKind'],
): string {
  const chosen = causes && [...new Set(causes)].toSorted()
  const hash = createHash('sha256').update(JSON.stringify([COPY_REVISION, chosen, choose, map]))
  return `${storageKey}-corrected-${hash.digest('hex').slice(0, 32)}.${fileKind}`
}

const GENERATED_ERROR_FILE =
  /^(?<storageKey>.+)-(?:errors\.xlsx|highlighted\.xlsx|corrected-[0-9a-f]{32}\.(?:csv|xlsx))$/

/**
 * Deletes the error files of submissions whose source is deleted: they contain its data. Those of accepted
 * files are made again when they are asked for, others can no longer be downloaded. Every process sweeps,
 * because its cache may be its own. Returns the number of deleted files.
 */
export async function sweepGeneratedErrorFiles({
  db,
  generatedFiles,
}: Pick<Deps, 'db' | 'generatedFiles'>): Promise<number> {
  const files = (await generatedFiles.names()).flatMap((name) => {
    const storageKey = GENERATED_ERROR_FILE.exec(name)?.groups?.storageKey
    return storageKey === undefined ? [] : [{ name, storageKey }]
  })
  const inUse = new Set(await findSourcesInUse(db, [...new Set(files.map(({ storageKey }) => storageKey))]))
  const unneeded = files.filter(({ storageKey }) => !inUse.has(storageKey))
  for (const { name } of unneeded) await generatedFiles.delete(name)
  return unneeded.length
}
