import type { Field } from '@veridict/contract/model/field'
import {
  type ByteRange,
  type DatedRuleBook,
  type FileGuards,
  type ValidatedRanges,
  validateRanges,
  type TakeRange,
} from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

/** The task of a thread, as plain data. */
export type RangesTask = {
  path: string
  fileName: string
  fields: readonly Field[]
  ruleBook?: DatedRuleBook
  limits: FileGuards
  maxErrorRows?: number
  maxCauseRows?: number
  currentYear: number
  ranges: readonly ByteRange[]
  /** Ranges taken so far: one number, in memory that all threads share. */
  taken: Int32Array
  /** Bytes that this thread has read so far: one number, in memory that it shares with the first thread. */
  progress: Float64Array
}

/** Returns the next range at each call, from a counter that all threads share. */
export const takeFrom =
  (taken: Int32Array): TakeRange =>
  () =>
    Atomics.add(taken, 0, 1)

/** Validates ranges of a file on disk. Throws where it cannot be opened. */
export async function validateFileRanges({
  path,
  ranges,
  taken,
  progress,
  currentYear,
  ...request
}: RangesTask): Promise<ValidatedRanges> {
  const file = openFileSource(path)
  const read = (into: Uint8Array, position: number) => {
    const count = file.read(into, position)
    progress[0] += into.length
    return count
  }
  try {
    const source = { size: file.size, read }
    return await validateRanges(
      { ...request, source, platform: nodePlatform(currentYear) },
      ranges,
      takeFrom(taken),
    )
  } finally {
    file.close()
  }
}
