import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import { portalGuards, validateTable, type ValidationRequest } from '@veridict/engine'
import { openFileSource } from '#file-source.ts'
import { nodePlatform } from '#node-platform.ts'

export type ValidationOptions = Pick<
  ValidationRequest,
  'limits' | 'maxErrorRows' | 'onProgress' | 'onFault'
> & {
  /**
   * A CSV file of `fromBytes` bytes or more is judged by `count` threads, the caller's included. By the
   * caller's alone where this is left out.
   */
  threads?: { count: number; fromBytes: number }
}

/**
 * Judges a file on disk. `fileName` is the name its sender gave it. A faulty file is a verdict; what throws
 * is a bug or a file that cannot be opened.
 */
export async function validateFile(
  path: string,
  fileName: string,
  fields: readonly Field[],
  { threads, ...options }: ValidationOptions = {},
): Promise<Verdict> {
  const source = openFileSource(path)
  const request: ValidationRequest = { ...options, source, fileName, fields, platform: nodePlatform() }
  try {
    if (threads === undefined || threads.count < 2 || source.size < threads.fromBytes)
      return await validateTable(request)
    return await validateInThreads(path, request, threads.count - 1)
  } finally {
    source.close()
  }
}

async function validateInThreads(path: string, request: ValidationRequest, count: number): Promise<Verdict> {
  const { fileName, fields, limits = portalGuards, maxErrorRows, platform, onProgress } = request
  // Loaded when needed: a small file never pays for it.
  const { rangeThreads } = await import('#range-threads.ts')
  const workers = rangeThreads(count, {
    path,
    fileName,
    fields,
    limits,
    maxErrorRows,
    currentYear: platform.currentYear,
  })
  const tellAll =
    onProgress &&
    ((bytes: number, size: number) => onProgress(Math.min(bytes + workers.bytesRead(), size), size))
  try {
    return await validateTable({ ...request, workers, onProgress: tellAll })
  } finally {
    workers.end()
  }
}
