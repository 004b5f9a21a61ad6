import { fileGuards } from '@veridict/contract/limits'
import { ProcessPool } from '#drivers/validator/process-pool.ts'
import type { Validator } from '#drivers/validator/validator.ts'

export type ValidatorSettings = {
  /** Files judged at the same time. */
  processes: number
  /** Heap of one process, in MiB: room for the largest legal file, and an end for the others. */
  maxHeapMegabytes?: number
  maxMilliseconds?: number
  program?: string
}

/** Error files are made by a process of their own, so that a download never waits for a long validation; it ends when idle. */
const WRITER_IDLE_MILLISECONDS = 20_000

export type ValidatorPool = Validator & {
  /** Starts the processes ahead of the first file. */
  warm(): void
  /** Ends all processes; running work fails as aborted. */
  close(): void
}

/** Starts no process before `warm` or the first file. */
export function createValidatorPool(settings: ValidatorSettings): ValidatorPool {
  const { processes, maxHeapMegabytes = 512, maxMilliseconds = fileGuards.maxMilliseconds, program } = settings
  const shared = { maxHeapMegabytes, maxMilliseconds, program }
  const judges = new ProcessPool(processes, { ...shared, idleMilliseconds: null })
  const writers = new ProcessPool(1, { ...shared, idleMilliseconds: WRITER_IDLE_MILLISECONDS })
  return {
    async validate(file, signal) {
      const reply = await judges.run({ kind: 'validate', file }, signal)
      if ('verdict' in reply) return reply.verdict
      throw new Error('The validator process answered another question')
    },
    async writeErrorFile(errorFile, file, outputPath) {
      await writers.run({ kind: 'writeErrorFile', errorFile, file, outputPath })
    },
    warm: () => judges.warm(),
    close() {
      judges.close()
      writers.close()
    },
  }
}
