import { describe, expect, it } from 'vitest'
import { Campaign, type Plan, type StorageKind, type Tally } from '#test/chaos/campaign.ts'
import { objectStores } from '#test/object-stores.ts'
import { createTestDatabase } from '#test/test-database.ts'

/**
 * Kills servers without warning in every stage, on both kinds of storage at once. `npm run chaos` runs longer
 * than `npm run test:long`. The seed decides the order of the stages, the files and the pauses; all
 * else depends on the machine.
 */
const KILLS = Number(process.env.CHAOS_KILLS ?? 20)
const SEED = Number(process.env.CHAOS_SEED ?? 1)
/** The kind of storage and the group of a reported violation, such as `local:3`. */
const [onlyKind, onlyGroup] = (process.env.CHAOS_GROUP ?? '').split(':')
const TIMEOUT_MILLISECONDS = 180_000 + 10_000 * KILLS
/** A server that is frozen past its lease takes longer than the short run. */
const isLong = KILLS >= 100

const s3 = objectStores().find(({ name }) => name.startsWith('S3'))

async function runCampaign(kind: StorageKind): Promise<Tally> {
  const plan: Plan = {
    seed: SEED,
    kills: KILLS / 2,
    hasFreezes: isLong,
    onGroup: (progress) => isLong && console.log(progress),
    ...(onlyGroup === undefined ? {} : { onlyGroup: Number(onlyGroup), kills: Infinity, hasFreezes: true }),
  }
  const database = await createTestDatabase()
  const store = kind === 's3' ? await s3?.start() : null
  try {
    return await new Campaign(kind, plan, database.url).run(store ?? null)
  } finally {
    await store?.close()
    await database.drop()
  }
}

describe('Servers that are killed without warning', () => {
  it(
    'lose nothing, store nothing twice and leave nothing incomplete, in whatever stage',
    { timeout: TIMEOUT_MILLISECONDS },
    async () => {
      const started = performance.now()
      const kinds = (['local', 's3'] as const).filter((kind) => !onlyKind || kind === onlyKind)
      // If one campaign fails, the other one still ends and stops its servers.
      const runs = await Promise.allSettled(kinds.map(runCampaign))
      const tallies = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
      const seconds = (performance.now() - started) / 1000
      console.log(report(tallies, seconds))
      for (const run of runs) if (run.status === 'rejected') throw run.reason
      expect(tallies.flatMap(({ violations }) => violations)).toEqual([])
    },
  )
})

function report(tallies: readonly Tally[], seconds: number): string {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0)
  const stages = [...new Set(tallies.flatMap(({ kills }) => [...kills.keys()]))].toSorted()
  const killsIn = (stage: string) => sum(({ kills }) => kills.get(stage) ?? 0)
  const violations = tallies.flatMap((tally) => tally.violations)
  return [
    ...stages.map((stage) => `kills in ${stage}: ${killsIn(stage)}`),
    `kills: ${stages.reduce((total, stage) => total + killsIn(stage), 0)}`,
    `freezes past a lease: ${sum(({ freezes }) => freezes)}`,
    `uploads: ${sum(({ uploads }) => uploads)}`,
    `accepted: ${sum(({ accepted }) => accepted)}`,
    `violations: ${violations.length}`,
    ...violations.map(
      (text) => `  ${text}: npm run chaos -- --seed ${SEED} --group ${/\[(\w+:\d+)/.exec(text)?.[1]}`,
    ),
    `seed: ${SEED}`,
    `time: ${seconds.toFixed(0)} s`,
  ].join('\n')
}
