import type { Dictionary } from '@veridict/contract/model/field'
import { ruleFromWire } from '@veridict/contract/model/rule'
import type { Deps } from '#deps.ts'
import { findAllFields } from '#repositories/fields.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/** A dictionary with all its fields, as the engine sees one. Throws 404 when there is no such dictionary. */
export async function loadDictionary(id: number, deps: Pick<Deps, 'db'>): Promise<Dictionary> {
  const { name } = await readDictionary(id, deps)
  const rows = await findAllFields(deps.db, id)
  const fields = rows.map(({ name, description, category, required, ruleType, ruleConfig }) => ({
    name,
    description,
    category,
    required,
    rule: ruleFromWire(ruleType, ruleConfig),
  }))
  return { name, fields }
}
