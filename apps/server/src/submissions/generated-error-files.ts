import { createHash } from 'node:crypto'
import type { WrittenChoice } from '@veridict/contract/notation/correction-answers'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { ErrorFileKind } from '@veridict/engine-node'
import { findSourcesInUse } from '#submissions/submission-sources.ts'

/** Has no id, which every database counts from 1: a moved cache must not serve another's files. */
export const generatedErrorFileName = (storageKey: string, kind: ErrorFileKind): string =>
  `${storageKey}-${kind}.xlsx`

/** Raised when a copy of the same causes gets other values, so that none from before is served. */
const COPY_REVISION = 4

/** Has a hash of ids and answers, which may hold any characters. */
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

/** Deletes those without a source, whose data they have. Every process sweeps: its cache may be its own. */
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
