import { ruleFromWire } from '@veridict/contract/model/rule'
import type { Field } from '@veridict/contract/model/field'
import { writeDictionary } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { FieldRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { findAllFields } from '#repositories/fields.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/** A dictionary as a workbook; importing it again gives an equal one. Throws 404 when there is no such dictionary. */
export async function exportDictionary(id: number, deps: Pick<Deps, 'db'>): Promise<{ name: string; workbook: Uint8Array }> {
  const { name } = await readDictionary(id, deps)
  const fields = (await findAllFields(deps.db, id)).map(fieldOf)
  const chunks = await Array.fromAsync(writeDictionary({ name, fields }, nodePlatform()))
  return { name, workbook: Buffer.concat(chunks) }
}

const fieldOf = ({ name, description, category, required, ruleType, ruleConfig }: FieldRow): Field => ({
  name,
  description,
  category,
  required,
  rule: ruleFromWire(ruleType, ruleConfig),
})
