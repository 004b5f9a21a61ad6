import type { Field } from '@veridict/contract/model/field'
import { type ByteRange, type FileGuards, type JudgedRange, judgeRange } from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

/** What a thread is told: plain data. */
export type RangeTask = {
  path: string
  fileName: string
  fields: readonly Field[]
  limits: FileGuards
  maxRows?: number
  currentYear: number
  range: ByteRange
  /** One number in memory that threads share: bytes read so far. */
  progress: Float64Array
  /** Where compiled code is kept, if anywhere. */
  cacheFolder?: string
}

/** Judges a range of a file on disk. Throws where it cannot be opened. */
export async function judgeRangeOf({ path, range, progress, currentYear, ...request }: RangeTask): Promise<JudgedRange | null> {
  const file = openFileSource(path)
  const read = (into: Uint8Array, position: number) => {
    const count = file.read(into, position)
    progress[0] += into.length
    return count
  }
  try {
    return await judgeRange({ ...request, source: { size: file.size, read }, platform: nodePlatform(currentYear) }, range)
  } finally {
    file.close()
  }
}
