import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type StoreReports, type ValidatorFolders, ValidatorError } from '#platform/validator/validator.ts'
import type { Question, ValidatorReply, ValidatorRequest } from '#platform/validator/validator-process.ts'

const MIB = 1024 * 1024
const PROGRAM = fileURLToPath(new URL('./validator-process.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
/** Not all of the root, which may have DATA_DIR in it. */
const CODE = ['apps/server/src', 'packages', 'node_modules'].map((folder) => join(ROOT, folder))
/**
 * Node's default is 4. Where there are fewer other processors, V8's threads wait for each other: with one
 * of them on two processors, the first file takes 10 % less time, the first thirty 6 % less.
 */
const V8_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))
/** Files until it is replaced, so that no leak grows for ever. A start takes as long as 250 small files. */
const FILES_PER_PROCESS = 5000
/** A process that is larger than this after a file is replaced, which frees the memory. */
const MAX_IDLE_BYTES = 220 * MIB
/** The time limit is counted in this many steps. */
const TIME_STEPS = 60

export type SlotSettings = {
  maxHeapMegabytes: number
  /** Time limit for one file, without the time in which this machine sleeps. */
  maxMilliseconds: number
  /** An idle process ends after this long; null keeps it. */
  idleMilliseconds: number | null
  folders: ValidatorFolders
  /** Replaces the program, for tests of crashes. */
  program?: string
}

export type RunOptions = {
  store?: StoreReports
  /** The bytes of a file that is not on the local disk. */
  read?: ((position: number, length: number) => Promise<Uint8Array>) | undefined
  signal?: AbortSignal | undefined
}

/**
 * The cache of validator processes, not that of this one, which would run what they wrote. Without it their
 * start takes 390 ms of processor time, not 110.
 */
const compileCache = ({ NODE_COMPILE_CACHE: ours }: NodeJS.ProcessEnv): string | null =>
  ours ? join(ours, 'validators') : null

/** No settings and no secrets: this process reads hostile files. */
export function validatorEnvironment(): NodeJS.ProcessEnv {
  const cache = compileCache(process.env)
  return { TZ: 'UTC', ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }) }
}

/**
 * Closes all but code and folders: also our environment in /proc, the network, other programs; and threads,
 * because Node does not limit those.
 */
function permissions({ read, write }: ValidatorFolders): string[] {
  const cache = compileCache(process.env) ?? []
  const readable = [...CODE, ...read, ...write].concat(cache)
  const writable = [...write].concat(cache)
  return [
    '--permission',
    // With a star they need not exist yet.
    ...readable.map((folder) => `--allow-fs-read=${folder}/*`),
    ...writable.map((folder) => `--allow-fs-write=${folder}/*`),
    '--allow-fs-write=/proc/self/oom_score_adj',
  ]
}

async function answerTo(question: Question, { store, read }: RunOptions): Promise<unknown> {
  if ('reports' in question) return store?.(question.reports)
  if (read === undefined) throw new Error('The validator process asked for bytes of a local file')
  return read(question.readFrom, question.length)
}

type FinishedReply = Exclude<ValidatorReply, { failed: string }>

/** One validator process at a time: started when needed, replaced when it crashed, grew or served enough. */
export class ProcessSlot {
  readonly #settings: SlotSettings
  #child: ChildProcess | null = null
  #files = 0
  #idleTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(settings: SlotSettings) {
    this.#settings = settings
  }

  /** Starts a process that stays when it is idle ahead of the next file. */
  warm(): void {
    if (this.#settings.idleMilliseconds === null) this.#child ??= this.#start()
  }

  /** The caller waits for it before the next. Throws `ValidatorError`, and what `store` and `read` throw. */
  async run(request: ValidatorRequest, options: RunOptions): Promise<FinishedReply> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    if (options.signal?.aborted || this.#isClosed)
      throw new ValidatorError('aborted', 'aborted before it began')
    const child = (this.#child ??= this.#start())
    try {
      const reply = await this.#exchange(child, request, options)
      this.#afterFile(reply.residentBytes)
      if ('failed' in reply) throw new ValidatorError('crashed', reply.failed)
      return reply
    } catch (error) {
      // After a failure, the next file gets a new process.
      this.stop()
      throw error
    }
  }

  /** Ends the process for good; the running request fails as aborted. */
  close(): void {
    this.#isClosed = true
    this.stop()
  }

  /** Ends the process; the next file starts another. */
  stop(): void {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  #start(): ChildProcess {
    this.#files = 0
    const child = fork(this.#settings.program ?? PROGRAM, {
      execArgv: [
        `--max-old-space-size=${this.#settings.maxHeapMegabytes}`,
        `--v8-pool-size=${V8_THREADS}`,
        ...permissions(this.#settings.folders),
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: validatorEnvironment(),
    })
    // A process that fails to start, or dies between two files, is replaced at the next file.
    child.on('error', () => this.#forget(child))
    child.on('exit', () => this.#forget(child))
    child.unref()
    child.channel?.unref()
    return child
  }

  #forget(child: ChildProcess): void {
    if (this.#child === child) this.#child = null
  }

  #exchange(child: ChildProcess, request: ValidatorRequest, options: RunOptions): Promise<ValidatorReply> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearInterval(timer)
        signal?.removeEventListener('abort', onAbort)
        child.off('message', onMessage).off('exit', onExit).off('error', onError)
        child.channel?.unref()
        child.unref()
        end()
      }
      const kill = (error: Error) => {
        child.kill('SIGKILL')
        this.#forget(child)
        finish(() => reject(error))
      }
      // The process waits for us, which is not its time.
      let isWaiting = false
      const answer = async (question: Question) => {
        isWaiting = true
        const message = { answer: await answerTo(question, options) }
        isWaiting = false
        if (child.connected) child.send(message, (error) => error && onError(error))
      }
      const onMessage = (message: unknown) => {
        const reply = message as ValidatorReply | Question
        if ('residentBytes' in reply) finish(() => resolve(reply))
        else answer(reply).catch(kill)
      }
      const onExit = (code: number | null, by: string | null) => {
        const reason = this.#isClosed ? 'aborted' : 'crashed'
        finish(() =>
          reject(new ValidatorError(reason, `the validator process ended (${by ?? `code ${code}`})`)),
        )
      }
      const onError = (error: Error) => kill(new ValidatorError('crashed', error.message))
      const onAbort = () => kill(new ValidatorError('aborted', 'aborted'))
      const { maxMilliseconds } = this.#settings
      let steps = 0
      // Steps, not one timer, which would fire after a sleep of the machine before the file had run.
      const timer = setInterval(() => {
        if (!isWaiting && ++steps >= TIME_STEPS)
          kill(new ValidatorError('timeout', `took more than ${maxMilliseconds} ms`))
      }, maxMilliseconds / TIME_STEPS)
      child.on('message', onMessage).on('exit', onExit).on('error', onError)
      signal?.addEventListener('abort', onAbort)
      child.ref()
      child.channel?.ref()
      child.send(request, (error) => error && onError(error))
    })
  }

  #afterFile(residentBytes: number): void {
    this.#files++
    if (this.#files >= FILES_PER_PROCESS || residentBytes > MAX_IDLE_BYTES) {
      this.stop()
      // So that the next file does not wait for a start.
      return this.warm()
    }
    const { idleMilliseconds } = this.#settings
    if (idleMilliseconds !== null) this.#idleTimer = setTimeout(() => this.stop(), idleMilliseconds).unref()
  }
}
