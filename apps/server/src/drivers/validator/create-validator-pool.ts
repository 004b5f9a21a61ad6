import { fileGuards } from '@veridict/contract/limits'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { ProcessPool } from '#drivers/validator/process-pool.ts'
import { type Validator, ValidatorError } from '#drivers/validator/validator.ts'
import type { ValidatorReply } from '#drivers/validator/validator-messages.ts'

export type ValidatorSettings = {
  /** Files judged at the same time. */
  processes: number
  /** Heap of one process, in MiB: room for the largest legal file, and an end for the others. */
  maxHeapMegabytes?: number
  maxMilliseconds?: number
  program?: string
}

/**
 * What people wait for in front of the screen is made by a process of its own, so that it never waits for a
 * long validation; it ends when idle.
 */
const HELPER_IDLE_MILLISECONDS = 20_000

export type ValidatorPool = Validator & {
  /** Starts the processes ahead of the first file. */
  warm(): void
  /** Ends all processes; running work fails as aborted. */
  close(): void
}

/** Starts no process before `warm` or the first file. */
export function createValidatorPool(settings: ValidatorSettings): ValidatorPool {
  const {
    processes,
    maxHeapMegabytes = 512,
    maxMilliseconds = fileGuards.maxMilliseconds,
    program,
  } = settings
  const shared = { maxHeapMegabytes, maxMilliseconds, program }
  const judges = new ProcessPool(processes, { ...shared, idleMilliseconds: null })
  const helpers = new ProcessPool(1, { ...shared, idleMilliseconds: HELPER_IDLE_MILLISECONDS })
  // Who saves a dictionary does not wait for somebody's error file either.
  const editors = new ProcessPool(1, { ...shared, idleMilliseconds: HELPER_IDLE_MILLISECONDS })
  return {
    async validate(file, keep, signal) {
      return answerOf(await judges.run({ kind: 'validate', file }, { keep, signal }), 'verdict')
    },
    async writeErrorFile(errorFile, file, outputPath) {
      const reply = await helpers.run({ kind: 'writeErrorFile', errorFile, file, outputPath })
      if ('problem' in reply) throw new ValidatorError('unreadable', fileProblemText(reply.problem))
    },
    async writeTemplate(dictionary, outputPath) {
      await helpers.run({ kind: 'writeTemplate', dictionary, outputPath })
    },
    async propose(file, signal) {
      return answerOf(await helpers.run({ kind: 'propose', file }, { signal }), 'proposal')
    },
    async checkPatterns(patterns) {
      return answerOf(await editors.run({ kind: 'checkPatterns', patterns }), 'refusals')
    },
    async readDictionary({ fileName, bytes }) {
      return answerOf(await editors.run({ kind: 'readDictionary', fileName, bytes }), 'dictionary')
    },
    async readTableSchema(json) {
      return answerOf(await editors.run({ kind: 'readTableSchema', json }), 'schema')
    },
    warm: () => judges.warm(),
    close() {
      judges.close()
      helpers.close()
      editors.close()
    },
  }
}

type KeyOf<Reply> = Reply extends unknown ? keyof Reply : never

/** What a reply says under `key`. A process that answers another question is at fault. */
function answerOf<Key extends KeyOf<ValidatorReply>>(
  reply: ValidatorReply,
  key: Key,
): Extract<ValidatorReply, Record<Key, unknown>>[Key] {
  if (!(key in reply)) throw new Error('The validator process answered another question')
  return (reply as Extract<ValidatorReply, Record<Key, unknown>>)[key]
}
