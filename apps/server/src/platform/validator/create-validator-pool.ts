import { fileGuards } from '@veridict/contract/limits'
import { Gate, type GateSettings } from '#platform/admission/gate.ts'
import { ProcessSlot, type RunOptions, type SlotSettings } from '#platform/validator/process-slot.ts'
import {
  ADMINISTRATORS,
  type FileToValidate,
  type Requester,
  type StoreReports,
  type ValidationResult,
  type ValidatorFolders,
  ValidatorError,
} from '#platform/validator/validator.ts'
import type {
  RequestOf,
  ResultOf,
  ValidatorRequest,
  ValidatorWorks,
} from '#platform/validator/validator-process.ts'

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

/** Processes beside those of one company, so that its long files never delay others. They end when idle. */
export const OTHER_COMPANIES = 1

/** A process beyond `minSize` ends after this time without work. */
const IDLE_MILLISECONDS = 20_000
/** More would wait for longer than browsers do. */
const MAX_WAITING_FILES = 100
const RETRY_SECONDS = 30

type HelperWork = Exclude<keyof ValidatorWorks, 'validate'>

/**
 * The engine in processes limited in memory and time (docs/adr/0011-validator-processes.md), so that no file
 * harms this one. `ValidatorError`: no verdict. `signal` ends it at once ('aborted').
 */
export type Validator = {
  /** Throws `ValidatorError`, and what `store` and reading throw, whose time does not count for the limit. */
  validate(
    file: FileToValidate,
    store: StoreReports,
    uploader: Requester,
    signal?: AbortSignal,
  ): Promise<ValidationResult>
  /** Throws `ValidatorError`, and 429 if too many files wait for `requester` (default: administrators). */
  run<Work extends HelperWork>(
    work: Work,
    request: RequestOf<Work>,
    options?: { requester?: Requester; signal?: AbortSignal | undefined },
  ): Promise<ResultOf<Work>>
}

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
  // None is refused: the jobs are limited.
  const validators = new ProcessPool(shared, {
    size: processes + OTHER_COMPANIES,
    minSize: processes,
    perParty: processes,
  })
  // What people wait for on the screen has processes of its own, which never wait for a validation.
  const helpers = new ProcessPool(shared, {
    size: 1 + OTHER_COMPANIES,
    perParty: 1,
    maxWaiting: MAX_WAITING_FILES,
    retrySeconds: RETRY_SECONDS,
  })
  // Saving a dictionary does not wait for an error file either.
  const editors = new ProcessPool(shared, { size: 1 })
  // What a change would do is found out beside all of that.
  const comparisons = new ProcessPool(shared, { size: 1 })
  const pools: Readonly<Record<HelperWork, ProcessPool>> = {
    writeErrorFile: helpers,
    writeCorrectedFile: helpers,
    writeTemplate: helpers,
    propose: helpers,
    checkPatterns: editors,
    checkRuleBook: editors,
    tryRow: editors,
    readDictionary: editors,
    readTableSchema: editors,
    compare: comparisons,
  }
  return {
    validate(file, store, uploader, signal) {
      const { read, ...sent } = { read: undefined, ...file }
      return validators.run(uploader, 'validate', sent, { store, read, signal })
    },
    run: (work, request, { requester = administrators, signal } = {}) =>
      pools[work].run(requester, work, request, { signal }),
    warm: () => validators.warm(),
    close() {
      for (const pool of [validators, helpers, editors, comparisons]) pool.close()
    },
  }
}

const administrators: Requester = { party: ADMINISTRATORS, person: '' }

/** `minSize`: processes that stay when they are idle. `perParty`: how many one party may use at once. */
type PoolSettings = Pick<GateSettings, 'maxWaiting' | 'retrySeconds'> & {
  size: number
  minSize?: number
  perParty?: number
}

/** Processes of which parties, and the people of each, take turns. */
class ProcessPool {
  readonly #gate: Gate
  readonly #all: readonly ProcessSlot[]
  readonly #idle: ProcessSlot[]

  constructor(settings: SlotSettings, { size, minSize = 0, perParty = size, ...waiting }: PoolSettings) {
    this.#gate = new Gate({
      ...waiting,
      concurrency: size,
      perGroup: perParty,
      groupOf: (key) => key.split(' ')[0] ?? '',
    })
    this.#all = Array.from(
      { length: size },
      (_, index) =>
        new ProcessSlot(index < size - minSize ? settings : { ...settings, idleMilliseconds: null }),
    )
    this.#idle = [...this.#all]
  }

  warm(): void {
    for (const slot of this.#all) slot.warm()
  }

  run<Work extends keyof ValidatorWorks>(
    { party, person }: Requester,
    work: Work,
    request: RequestOf<Work>,
    options: RunOptions = {},
  ): Promise<ResultOf<Work>> {
    return this.#gate.run(`${party} ${person}`, async () => {
      // The slot that was used last is the warmest. The gate lets no more in than there are.
      const slot = this.#idle.pop() as ProcessSlot
      const reply = await slot
        .run({ work, request } as ValidatorRequest, options)
        .finally(() => this.#idle.push(slot))
      if ('refused' in reply) throw new ValidatorError(reply.refused.reason, reply.refused.message)
      return reply.result as ResultOf<Work>
    })
  }

  close(): void {
    for (const slot of this.#all) slot.close()
  }
}
