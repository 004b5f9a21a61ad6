import { createMetrics } from '#platform/telemetry/metrics.ts'
import { readEnv } from '#env.ts'
import type { Settings } from '#simulation/simulation.ts'

/** The settings of the simulated portal. */
export const settings: Omit<Settings, 'postgres'> = {
  env: {
    ...readEnv({ DATA_DIR: '/nowhere' }),
    databaseUrl: '',
    apiKey: '',
    tokenSecret: '',
    companyQuotaMegabytes: 0,
  },
  metrics: createMetrics(),
}

/** Lives that share one simulation and can disturb each other. A life is one submission from start to end. */
export const LIVES_PER_SIMULATION = 10

/** The numbers of the lives of a simulation. */
export const livesOf = (simulation: number, most = Infinity): number[] =>
  Array.from(
    { length: LIVES_PER_SIMULATION },
    (_unused, index) => simulation * LIVES_PER_SIMULATION + index,
  ).filter((life) => life < most)
