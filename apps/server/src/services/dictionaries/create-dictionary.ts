import type { Deps } from '#deps.ts'
import { insertDictionary } from '#repositories/dictionaries.ts'

/** Makes a dictionary without fields; answers its id. Throws 409 when the name is taken. */
export const createDictionary = (name: string, userId: number, deps: Pick<Deps, 'db'>): Promise<number> =>
  insertDictionary(deps.db, name, userId)
