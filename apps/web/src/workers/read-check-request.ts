import type { DictionaryForChecking } from '@veridict/contract/api/dictionaries'
import type { Envelope } from '@veridict/contract/api/endpoint'
import { fieldFromReply } from '@veridict/contract/api/wire-field'
import type { Field } from '@veridict/contract/model/field'
import type { Platform } from '@veridict/engine/platform'
import type { ValidationRequest } from '@veridict/engine/validate-table'
import { browserPlatform } from './browser-platform.ts'
import type { CheckRequest } from './worker-messages.ts'

/** What the engine validates. */
type CheckedFile = {
  bytes: Uint8Array<ArrayBuffer>
  fileName: string
  fields: Field[]
  ruleBook: NonNullable<ValidationRequest['ruleBook']>
  platform: Platform
}

/** Throws if the file was modified after it was chosen. */
export async function readCheckRequest({ file, dictionary }: CheckRequest): Promise<CheckedFile> {
  // As a whole: at most 25 MB, and a read from memory needs no waiting.
  const bytes = new Uint8Array(await file.arrayBuffer())
  const reply = JSON.parse(await dictionary.text()) as Envelope<DictionaryForChecking>
  const { fields, currentYear, today, rules, exempt, blankTexts, lists } = reply.value
  return {
    bytes,
    fileName: file.name,
    fields: fields.map(fieldFromReply),
    ruleBook: { rules, exempt, blankTexts, lists, day: today },
    platform: browserPlatform(currentYear),
  }
}
