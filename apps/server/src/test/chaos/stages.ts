import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { DatabaseWatch } from '#test/chaos/database-watch.ts'
import type { FileKind } from '#test/chaos/files.ts'
import type { Cut } from '#test/chaos/send-upload.ts'
import type { Server } from '#test/chaos/servers.ts'
import type { Random } from '#test/fuzz/random.ts'
import type { MailStep } from '#test/smtp-sink.ts'

/** What a stage needs of the campaign that runs it. */
export type StageContext = {
  watch: DatabaseWatch
  upload(
    server: Server,
    random: Random,
    options?: { kind?: FileKind; cut?: Cut },
  ): { fileName: string; sent: Promise<void> }
  up(): Server[]
  target(random: Random): Server
  serverOf(holder: number | null): Server | undefined
  /** Settles when a file is begun in its company's folder; null where that cannot be seen. */
  whenWritten(fileName: string, milliseconds: number): Promise<void> | null
  /** Counts the kill of a validator process. Kills of servers are counted when they end. */
  countKill(): void
  /** Counts the last kill as at random, because it was not in its stage. */
  countAsRandom(): void
}

/** Waits until a server is in this stage of its work, as far as this can be observed, and kills it. */
export type Stage = {
  name: string
  run(context: StageContext, target: Server, random: Random): Promise<void>
}

const { Uploaded, InProcess, ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed } =
  SubmissionStatus
const begun = [InProcess, ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed]
const passed = [ValidationPassed, IngestionSuccess, IngestionFailed]
const validFiles: readonly FileKind[] = ['small', 'large']
/** More of the large ones, whose bytes take longer to write. */
const storedFiles: readonly FileKind[] = ['small', 'large', 'large']
const longFiles: readonly FileKind[] = ['large', 'veryFaulty']

/** Also counts kills that came too early or too late for their stage. */
export const AT_RANDOM = 'at random'
/** How long to wait for a stage; then the server is killed outside of it. */
const STAGE_MILLISECONDS = 10_000
/** Longer than a lease, and than the interval at which others look for ended ones. */
const FREEZE_MILLISECONDS = 32_000
/** Long enough for the resumed server to write something that it must not write. */
const RESUMED_MILLISECONDS = 3_000

const duringBody: Stage = {
  name: 'upload body',
  async run(context, target, random) {
    const kill = () => target.kill()
    const { sent } = context.upload(target, random, {
      kind: random.oneOf(longFiles),
      cut: { at: random.next(), act: kill },
    })
    await sent
  },
}

/** The file has its name in the storage, and the transaction waits for its first lock. */
const beforeRow = blocked('bytes stored, no row', 'select from dictionaries for update', 'dictionaries')
/** The row is written, and the transaction waits to record it in the audit trail. */
const beforeCommit = blocked(
  'row written, not committed',
  'lock table audit_entries in share mode',
  'audit_entries',
)

function blocked(name: string, lock: string, statement: string): Stage {
  return {
    name,
    run: (context, target, random) =>
      context.watch.withLock(lock, async (isBlocked) => {
        context.upload(target, random)
        const isReached = await until(() => isBlocked(statement))
        await target.kill()
        if (!isReached) context.countAsRandom()
      }),
  }
}

const beforeReply: Stage = {
  name: 'committed, no response',
  async run(context, target, random) {
    const { came } = await context.watch.nextStatusEvent(Uploaded, STAGE_MILLISECONDS)
    context.upload(target, random)
    const isReached = await came
    await target.kill()
    if (!isReached) context.countAsRandom()
  },
}

const validation: Stage = {
  name: 'validation',
  async run(context, target, random) {
    const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
    const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
    await sleep(random.below(150))
    await killIn(context, fileName, InProcess, row?.leaseHolder, target)
  },
}

const validatorProcess: Stage = {
  name: 'validator process',
  async run(context, target, random) {
    const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
    const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
    const server = context.serverOf(row?.leaseHolder ?? null) ?? target
    await sleep(random.below(100))
    const [pid] = await server.children()
    // The third crash on a file would be its verdict.
    if (pid === undefined || (await context.watch.hasAttempts())) return
    process.kill(pid, 'SIGKILL')
    context.countKill()
  },
}

/** The verdict is written, and the transaction waits to record it in the audit trail. */
const settling: Stage = {
  name: 'settling',
  async run(context, target, random) {
    const { fileName, sent } = context.upload(target, random, { kind: random.oneOf(longFiles) })
    await sent
    await context.watch.withLock('lock table audit_entries in share mode', (isBlocked) =>
      killBlocked(context, fileName, InProcess, () => isBlocked('audit_entries'), target),
    )
  },
}

/** The file is in its company's folder, and the transaction that records this waits to add the e-mail. */
const storedNotRecorded: Stage = {
  name: 'stored, not recorded',
  run: (context, target, random) =>
    context.watch.withLock('lock table mails in share mode', async (isBlocked) => {
      const { fileName } = context.upload(target, random, { kind: random.oneOf(validFiles) })
      await killBlocked(context, fileName, ValidationPassed, () => isBlocked('insert into "?mails'), target)
    }),
}

async function killBlocked(
  context: StageContext,
  fileName: string,
  status: SubmissionStatus,
  isBlocked: () => Promise<boolean>,
  target: Server,
): Promise<void> {
  await until(isBlocked)
  const row = await context.watch.whenIn(fileName, [status], 0)
  await killIn(context, fileName, status, row?.leaseHolder, target)
}

/** Kills the server that works on the file. Counts the kill as at random if the status was another one. */
async function killIn(
  context: StageContext,
  fileName: string,
  status: SubmissionStatus,
  holder: number | null | undefined,
  target: Server,
): Promise<void> {
  const server = context.serverOf(holder ?? null)
  await (server ?? target).kill()
  const row = await context.watch.whenIn(fileName, [status], 0)
  if (server === undefined || row?.status !== status) context.countAsRandom()
}

const ingestion: Stage = {
  name: 'ingestion',
  async run(context, target, random) {
    const { fileName } = context.upload(target, random, { kind: random.oneOf(storedFiles) })
    const writing = context.whenWritten(fileName, STAGE_MILLISECONDS)
    if (writing === null) {
      await context.watch.whenIn(fileName, passed, STAGE_MILLISECONDS)
      await sleep(random.below(30))
    } else {
      await writing
      await sleep(random.below(4))
    }
    const row = await context.watch.whenIn(fileName, passed, 0)
    await killIn(context, fileName, ValidationPassed, row?.leaseHolder, target)
  },
}

const afterCommit: Stage = {
  name: 'recorded, source not deleted',
  async run(context, target, random) {
    const { came } = await context.watch.nextStatusEvent(IngestionSuccess, STAGE_MILLISECONDS)
    const { fileName } = context.upload(target, random, { kind: random.oneOf(validFiles) })
    let holder: number | null = null
    void context.watch
      .whenIn(fileName, begun, STAGE_MILLISECONDS)
      .then((row) => (holder = row?.leaseHolder ?? null))
      .catch(() => {})
    const isReached = await came
    await (context.serverOf(holder) ?? target).kill()
    if (!isReached) context.countAsRandom()
  },
}

const mail: Stage = {
  name: 'e-mail',
  async run(context, target, random) {
    const wanted = random.oneOf<MailStep>(['begun', 'received', 'confirmed'])
    const sending = new Promise<Server>((resolve) => {
      for (const server of context.up()) {
        server.mail.onStep = (step) => {
          if (step !== wanted) return
          // Before the server receives the reply.
          server.isToEnd = true
          process.kill(server.pid, 'SIGKILL')
          for (const other of context.up()) other.mail.onStep = () => {}
          resolve(server)
        }
      }
    })
    context.upload(target, random, { kind: 'faulty' })
    const server = await Promise.race([sending, sleep(STAGE_MILLISECONDS, null)])
    for (const other of context.up()) other.mail.onStep = () => {}
    await (server ?? target).kill()
    if (server === null) context.countAsRandom()
  },
}

/** Kinds of system calls, as strace names them. The server dies at one of the first `last` of a kind. */
const systemCalls = [
  { calls: 'fsync,fdatasync', last: 5 },
  { calls: '/^rename', last: 2 },
  { calls: '/^link', last: 2 },
  { calls: '/^unlink', last: 4 },
  { calls: '/^p?write', last: 50 },
  { calls: '/^p?write', last: 50 },
]

/** strace attaches to the server and kills it in the middle of a system call, before it takes effect. */
const systemCall: Stage = {
  name: 'system call',
  async run(context, target, random) {
    const { calls, last } = random.oneOf(systemCalls)
    const inject = `${calls}:signal=SIGKILL:when=${1 + random.below(last)}`
    target.isToEnd = true
    const strace = spawn(
      'strace',
      ['-f', '-p', String(target.pid), '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${inject}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = once(strace, 'exit')
    await Promise.race([once(strace.stderr, 'data'), sleep(STAGE_MILLISECONDS)])
    for (const kind of ['small', 'large'] as const) context.upload(target, random, { kind })
    const isReached = await target.waitForEnd(STAGE_MILLISECONDS)
    strace.kill('SIGKILL')
    await ended
    await target.kill()
    if (!isReached) context.countAsRandom()
  },
}

const starting: Stage = {
  name: 'start',
  async run(context, target, random) {
    await target.kill()
    void target.start()
    await sleep(100 + random.below(1_200))
    await target.kill()
  },
}

const anywhere: Stage = {
  name: AT_RANDOM,
  async run(context, target, random) {
    for (let number = 0; number < 3; number++) context.upload(target, random)
    await sleep(random.below(500))
    await target.kill()
  },
}

const bothServers: Stage = {
  name: 'both servers at once',
  async run(context, target, random) {
    for (let number = 0; number < 3; number++) context.upload(context.target(random), random)
    await sleep(random.below(500))
    await Promise.all(context.up().map((server) => server.kill()))
  },
}

/** The stages of a group, some of them several times; the seed decides their order. */
export function stages(): Stage[] {
  const inCalls = hasStrace() ? systemCall : anywhere
  const often = [duringBody, validatorProcess, mail].flatMap((stage) => [stage, stage])
  const mostOften = [validation, ingestion, inCalls].flatMap((stage) => [stage, stage, stage])
  const once = [beforeRow, beforeCommit, beforeReply, settling, storedNotRecorded, afterCommit, starting]
  return [...once, ...often, ...mostOften, anywhere, bothServers]
}

/**
 * Freezes a server that works on a file until its lease has ended and another took over, and resumes it: it
 * must not write anything any more. Then kills it; `ended` resolves after that. null if it was killed before.
 */
export async function freezePastLease(
  context: StageContext,
  target: Server,
  random: Random,
): Promise<{ server: Server; ended: Promise<void> } | null> {
  const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
  const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
  const server = context.serverOf(row?.leaseHolder ?? null) ?? target
  if (server.state !== 'up') return null
  server.freeze()
  const resumeAndKill = async () => {
    await sleep(FREEZE_MILLISECONDS)
    server.resume()
    await sleep(RESUMED_MILLISECONDS)
    await server.kill()
  }
  return { server, ended: resumeAndKill() }
}

/** Whether the condition became true in time. */
async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + STAGE_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) return false
    await sleep(5)
  }
  return true
}

let hasTried: boolean | undefined
/** strace may attach to the process of another program as root only. */
function hasStrace(): boolean {
  hasTried ??= tryStrace()
  return hasTried
}

function tryStrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=/^unlink:signal=SIGKILL:when=99', 'true'])
    return process.platform === 'linux' && process.getuid?.() === 0
  } catch {
    return false
  }
}
