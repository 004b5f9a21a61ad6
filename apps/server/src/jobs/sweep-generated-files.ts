import type { Deps } from '#deps.ts'
import { sweepGeneratedErrorFiles } from '#services/submissions/generated-error-files.ts'

const HOUR_MILLISECONDS = 60 * 60 * 1000

/**
 * Sweeps this process's cache of error files, at once and every hour. Not a job of the queue, which one
 * process of all would do. Answers the function that ends it.
 */
export function startGeneratedFilesSweep(deps: Pick<Deps, 'db' | 'generatedFiles' | 'log'>): () => void {
  const sweep = () =>
    sweepGeneratedErrorFiles(deps).then(
      (swept) => swept > 0 && deps.log.info({ swept }, 'error files of deleted sources were deleted'),
      (error: unknown) => deps.log.warn({ err: error }, 'the cache of error files could not be swept'),
    )
  const timer = setInterval(sweep, HOUR_MILLISECONDS)
  void sweep()
  return () => clearInterval(timer)
}
