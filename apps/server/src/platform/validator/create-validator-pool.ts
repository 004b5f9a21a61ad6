import { fileGuards } from '@veridict/contract/limits'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { Gate } from '#platform/admission/gate.ts'
import { ProcessPool } from '#platform/validator/process-pool.ts'
import type { RunOptions } from '#platform/validator/process-slot.ts'
import {
  ADMINISTRATORS,
  type Requester,
  type Validator,
  type ValidatorFolders,
  ValidatorError,
} from '#platform/validator/validator.ts'
import type { ValidatorReply, ValidatorRequest } from '#platform/validator/validator-messages.ts'

export type ValidatorSettings = {
  /** Files of one company validated at the same time. There is one more place for other companies. */
  processes: number
  /** Heap of one process, in MiB: enough for the largest allowed file. */
  maxHeapMegabytes?: number
  maxMilliseconds?: number
  /** None by default. */
  folders?: ValidatorFolders
  program?: string
}

/**
 * Processes beside those that one company may use at once, so that its long files never delay another's short
 * one. They end when they are idle.
 */
export const OTHER_COMPANIES = 1

/** A process beyond `minSize` ends after this time without work. */
const IDLE_MILLISECONDS = 20_000
/** More would wait for longer than browsers do. */
const MAX_WAITING_FILES = 100
const RETRY_SECONDS = 30

export type ValidatorPool = Validator & {
  /** Starts the processes ahead of the first file. */
  warm(): void
  /** Ends all processes; running requests fail as aborted. */
  close(): void
}

/** Starts no process before `warm` or the first request. */
export function createValidatorPool({
  processes,
  maxHeapMegabytes = 512,
  maxMilliseconds = fileGuards.maxMilliseconds,
  folders = { read: [], write: [] },
  program,
}: ValidatorSettings): ValidatorPool {
  const shared = { maxHeapMegabytes, maxMilliseconds, folders, program, idleMilliseconds: IDLE_MILLISECONDS }
  const size = processes + OTHER_COMPANIES
  const validators = new ProcessPool({ ...shared, minSize: processes, size })
  // None is refused: the jobs are limited.
  const validations = new Gate({ concurrency: size, perGroup: processes, groupOf: partyOf })
  // What people wait for on the screen has processes of its own, which never wait for a validation.
  const helpers = new ProcessPool({ ...shared, size: 1 + OTHER_COMPANIES })
  const turns = new Gate({
    concurrency: 1 + OTHER_COMPANIES,
    perGroup: 1,
    groupOf: partyOf,
    maxWaiting: MAX_WAITING_FILES,
    retrySeconds: RETRY_SECONDS,
  })
  // Saving a dictionary does not wait for an error file either.
  const editors = new ProcessPool({ ...shared, size: 1 })
  // What a change would do is found out beside all of that.
  const comparisons = new ProcessPool({ ...shared, size: 1 })
  return {
    async validate(file, store, uploader, signal) {
      const { fileName, fields, ruleBook } = file
      const sent = {
        fileName,
        fields,
        ruleBook,
        ...('path' in file ? { path: file.path } : { size: file.size }),
      }
      const read = 'read' in file ? file.read : undefined
      const run = () => validators.run({ kind: 'validate', file: sent }, { store, read, signal })
      return resultOf(await validations.run(keyOf(uploader), run), 'verdict')
    },
    ...helpersOf((requester, request, options) =>
      turns.run(keyOf(requester), () => helpers.run(request, options)),
    ),
    ...editorsOf(editors),
    async compare(file, signal) {
      return resultOf(await comparisons.run({ kind: 'compare', ...file }, { signal }), 'compared')
    },
    warm: () => validators.warm(),
    close() {
      validators.close()
      helpers.close()
      editors.close()
      comparisons.close()
    },
  }
}

type Help = (requester: Requester, request: ValidatorRequest, options?: RunOptions) => Promise<ValidatorReply>
type HelperCalls = 'writeErrorFile' | 'writeCorrectedFile' | 'writeTemplate' | 'propose'

const helpersOf = (help: Help): Pick<Validator, HelperCalls> => ({
  async writeErrorFile(errorFile, file, outputPath, requester) {
    const reply = await help(requester, { kind: 'writeErrorFile', errorFile, file, outputPath })
    if ('problem' in reply) throw new ValidatorError('unreadable', fileProblemText(reply.problem))
  },
  async writeCorrectedFile(choice, file, outputPath, requester) {
    const reply = await help(requester, { kind: 'writeCorrectedFile', choice, file, outputPath })
    if ('problem' in reply) throw new ValidatorError('unreadable', fileProblemText(reply.problem))
    if ('refused' in reply) throw new ValidatorError('wrongAnswer', reply.refused)
    if ('unknownCauses' in reply)
      throw new ValidatorError('unknownCause', `No cause ${reply.unknownCauses.join(', ')}`)
  },
  async writeTemplate(dictionary, outputPath, requester) {
    await help(requester, { kind: 'writeTemplate', dictionary, outputPath })
  },
  async propose(file, signal) {
    const requester: Requester = { party: ADMINISTRATORS, person: '' }
    return resultOf(await help(requester, { kind: 'propose', file }, { signal }), 'proposal')
  },
})

type EditorCalls = 'checkPatterns' | 'checkRuleBook' | 'tryRow' | 'readDictionary' | 'readTableSchema'

const editorsOf = (editors: ProcessPool): Pick<Validator, EditorCalls> => ({
  async checkPatterns(patterns) {
    return resultOf(await editors.run({ kind: 'checkPatterns', patterns }), 'refusals')
  },
  async checkRuleBook(request) {
    return resultOf(await editors.run({ kind: 'checkRuleBook', ...request }), 'checked')
  },
  async tryRow(request) {
    return resultOf(await editors.run({ kind: 'tryRow', ...request }), 'tried')
  },
  async readDictionary({ fileName, bytes }) {
    return resultOf(await editors.run({ kind: 'readDictionary', fileName, bytes }), 'dictionary')
  },
  async readTableSchema(json) {
    return resultOf(await editors.run({ kind: 'readTableSchema', json }), 'schema')
  },
})

const keyOf = ({ party, person }: Requester): string => `${party} ${person}`
const partyOf = (key: string): string => key.split(' ')[0] ?? ''

type KeyOf<Reply> = Reply extends unknown ? keyof Reply : never

/** The part `key` of a reply. */
function resultOf<Key extends KeyOf<ValidatorReply>>(
  reply: ValidatorReply,
  key: Key,
): Extract<ValidatorReply, Record<Key, unknown>>[Key] {
  if (!(key in reply)) throw new Error('The validator process replied to another request')
  return (reply as Extract<ValidatorReply, Record<Key, unknown>>)[key]
}
