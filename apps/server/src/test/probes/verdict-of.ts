import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { sourcesFolder } from '#platform/storage/create-storage.ts'
import type { TestApp } from '#test/test-app.ts'

export const textField = (name: string): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  identifiesRow: false,
  rule: { type: 'text' },
})

/** The verdict of the validator on a file. A test whose file hangs or crashes the validator fails. */
export async function verdictOf(
  portal: TestApp,
  bytes: Uint8Array,
  name: string,
  fields: readonly Field[] = [textField('a')],
) {
  const path = join(sourcesFolder(portal.deps.env), crypto.randomUUID())
  await writeFile(path, bytes)
  const party = { party: 1, person: '1' }
  return portal.deps.validator
    .validate({ path, fileName: name, fields }, async () => {}, party)
    .finally(() => rm(path))
}

export const problem = (errorType: number) => ({ kind: 'fileProblem', problem: { errorType } })
