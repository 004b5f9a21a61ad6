import { createMetrics } from '#drivers/metrics.ts'
import { readEnv } from '#env.ts'
import type { Surroundings } from '#simulation/world.ts'

/** The settings of the simulated portal. */
export const surroundings: Surroundings = {
  env: {
    ...readEnv({ DATA_DIR: '/nowhere' }),
    databaseUrl: '',
    apiKey: '',
    tokenSecret: '',
    companyQuotaMegabytes: 0,
  },
  metrics: createMetrics(),
}

/** Lives that share one world, in which they can disturb each other. */
export const LIVES_PER_WORLD = 10

/** The numbers of the lives of a world. */
export const livesOf = (world: number, most = Infinity): number[] =>
  Array.from({ length: LIVES_PER_WORLD }, (_unused, index) => world * LIVES_PER_WORLD + index).filter(
    (life) => life < most,
  )
