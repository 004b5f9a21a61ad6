import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '#test/chaos/stage.ts'
import { hasStrace, systemCall } from '#test/chaos/system-call-stage.ts'
import { beforeCommit, beforeReply, beforeRow, duringBody } from '#test/chaos/upload-stages.ts'
import {
  afterCommit,
  ingestion,
  mail,
  settling,
  storedNotRecorded,
  validation,
  validatorProcess,
} from '#test/chaos/worker-stages.ts'

/** The name of the stage that also counts kills which did not hit their stage. */
export const AT_RANDOM = 'at random'

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
