import type { DatabaseServer } from '#simulation/database-server.ts'

/** Does a step, or something else instead. */
export type Mutation = (step: string, effect: () => unknown, database: DatabaseServer) => unknown

/** Each mutation breaks an invariant on purpose, to test that the simulation finds it (mutation testing). */
export const mutations: Readonly<Record<string, Mutation>> = {
  /** A commit is confirmed that was not done. */
  noCommit: (step, effect) => (step === 'commit' ? undefined : effect()),
  /** A file is deleted only by name. */
  noDelete: (step, effect) => (step === 'storage delete' ? true : effect()),
  /** A submission leaves its final status, without an entry in its history. */
  notFinal(step, effect, database) {
    if (step === 'storage delete') database.tamper('update submissions set status = 1 where status = 2')
    return effect()
  },
  /** Each e-mail is delivered twice. */
  mailTwice(step, effect) {
    if (step === 'mail') effect()
    return effect()
  },
}
