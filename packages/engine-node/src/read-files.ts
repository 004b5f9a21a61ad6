import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import {
  type FileGuards,
  portalGuards,
  type ProposalResult,
  proposeFields,
  validateTable,
  type ValidationRequest,
} from '@veridict/engine'
import { withFile } from '#with-file.ts'
import { nodePlatform } from '#node-platform.ts'

export type ValidationOptions = Pick<
  ValidationRequest,
  'limits' | 'ruleBook' | 'maxErrorRows' | 'maxCauseRows' | 'onBadCells'
> & {
  /** A CSV file of `fromBytes` or more is validated by `count` threads, the caller's included. Default: 1. */
  threads?: { count: number; fromBytes: number }
}

/** Throws only for a bug or a file that cannot be opened. `fileName` is the name that its sender gave it. */
export const validateFile = (
  path: string,
  fileName: string,
  fields: readonly Field[],
  { threads, ...options }: ValidationOptions = {},
): Promise<Verdict> =>
  withFile(path, (source) => {
    const request = { ...options, source, fileName, fields, platform: nodePlatform() }
    return threads === undefined || source.size < threads.fromBytes || threads.count < 2
      ? validateTable(request)
      : validateInThreads(path, request, threads.count - 1)
  })

async function validateInThreads(path: string, request: ValidationRequest, count: number): Promise<Verdict> {
  // Loaded when needed: it would cost every small file time.
  const { filterThreads } = await import('#filter-threads.ts')
  const threads = filterThreads(count, path, request.source)
  try {
    return await validateTable({ ...request, threads })
  } finally {
    threads.end()
  }
}

/** An unreadable file gives a file problem; throws only for a bug and for a file that cannot be opened. */
export const proposeFile = (
  path: string,
  fileName: string,
  limits: FileGuards = portalGuards,
): Promise<ProposalResult> =>
  withFile(path, (source) => proposeFields({ source, fileName, platform: nodePlatform(), limits }))
