import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { FileKind } from '#test/chaos/files.ts'
import type { Server } from '#test/chaos/servers.ts'
import {
  begun,
  killBlocked,
  killIn,
  longFiles,
  type Stage,
  STAGE_MILLISECONDS,
  validFiles,
} from '#test/chaos/stage.ts'
import type { MailStep } from '#test/smtp-sink.ts'

const { InProcess, ValidationPassed, IngestionSuccess, IngestionFailed } = SubmissionStatus
const passed = [ValidationPassed, IngestionSuccess, IngestionFailed]
/** Twice as many large files, because their bytes take longer to write. */
const storedFiles: readonly FileKind[] = ['small', 'large', 'large']

export const validation: Stage = {
  name: 'validation',
  async run(context, target, random) {
    const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
    const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
    await sleep(random.below(150))
    await killIn(context, fileName, InProcess, row?.leaseHolder, target)
  },
}

export const validatorProcess: Stage = {
  name: 'validator process',
  async run(context, target, random) {
    const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
    const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
    const server = context.serverOf(row?.leaseHolder ?? null) ?? target
    await sleep(random.below(100))
    const [pid] = await server.validatorPids()
    // After a third crash on a file, its verdict would be that it cannot be processed.
    if (pid === undefined || (await context.watch.hasAttempts())) return
    process.kill(pid, 'SIGKILL')
    context.countKill()
  },
}

/** The verdict is written, and the transaction waits to record it in the audit trail. */
export const settling: Stage = {
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
export const storedNotRecorded: Stage = {
  name: 'stored, not recorded',
  run: (context, target, random) =>
    context.watch.withLock('lock table mails in share mode', async (isBlocked) => {
      const { fileName } = context.upload(target, random, { kind: random.oneOf(validFiles) })
      await killBlocked(context, fileName, ValidationPassed, () => isBlocked('insert into "?mails'), target)
    }),
}

export const ingestion: Stage = {
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

export const afterCommit: Stage = {
  name: 'recorded, source not deleted',
  async run(context, target, random) {
    const { isSent } = await context.watch.nextStatusEvent(IngestionSuccess, STAGE_MILLISECONDS)
    const { fileName } = context.upload(target, random, { kind: random.oneOf(validFiles) })
    let holder: number | null = null
    void context.watch
      .whenIn(fileName, begun, STAGE_MILLISECONDS)
      .then((row) => (holder = row?.leaseHolder ?? null))
      .catch(() => {})
    const isReached = await isSent
    await (context.serverOf(holder) ?? target).kill()
    if (!isReached) context.countAsRandom()
  },
}

export const mail: Stage = {
  name: 'e-mail',
  async run(context, target, random) {
    const killStep = random.oneOf<MailStep>(['begun', 'received', 'confirmed'])
    const sending = new Promise<Server>((resolve) => {
      for (const server of context.up()) {
        server.mail.onStep = (step) => {
          if (step !== killStep) return
          // At once: the server must not receive the reply first.
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
