import type { Platform } from '#platform.ts'

/** What is needed of the platform to check single values and rows. */
export type TrialPlatform = Pick<Platform, 'encodeUtf8' | 'decodeUtf8' | 'currentYear'>

/** For checks that read no file. */
export const withoutFiles = (platform: TrialPlatform): Platform => ({
  ...platform,
  inflateRaw: needsFile,
  deflateRaw: needsFile,
  isUtf8: needsFile,
  crc32: needsFile,
})

/** Stands for functions of the platform that only a reader or writer of files calls. */
function needsFile(): never {
  throw new Error('A single value is not part of a file: there is nothing to unpack or decode.')
}
