import type { DictionaryForChecking } from '@veridict/contract/api/dictionaries'
import type { Envelope } from '@veridict/contract/api/endpoint'
import { fieldFromReply } from '@veridict/contract/api/wire-field'
import type { CauseRows, CausesBelow } from '@veridict/contract/model/cause'
import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import type { CorrectionOutcome } from '@veridict/engine/corrected-file'
import type { Platform } from '@veridict/engine/platform'
import type { ValidationRequest } from '@veridict/engine/validate-table'
import { browserPlatform } from './browser-platform.ts'

/** What the page sends to the worker, once. */
export type CheckRequest = {
  file: File
  /** The reply of `readForChecking` as it came: reading a million values as JSON would block the page. */
  dictionary: Blob
}

type RowErrors = Extract<Verdict, { kind: 'rowErrors' }>

/** A verdict with as much of its errors as a screen shows: of all rows and causes only the first. */
export type SentVerdict =
  | Exclude<Verdict, RowErrors>
  | (Omit<RowErrors, 'groups' | 'causeRows'> & { causesCount: number })

/** `causeRows`, of errors and of warnings, are sent on their own. */
export type CheckedVerdict = SentVerdict & { causeRows: CauseRows[] }
export type CheckedRowErrors = Extract<CheckedVerdict, { kind: 'rowErrors' }>

/**
 * Each cause has a message of its own: the page can draw a frame between two messages, and reading a thousand
 * rows at once would take a slow machine longer than a frame may.
 */
export type CheckMessage =
  | { kind: 'progress'; percent: number }
  | { kind: 'causeRows'; causeRows: CauseRows }
  | { kind: 'verdict'; verdict: SentVerdict }
  /** Hexadecimal; null where the browser calculates none (only pages of secure origins can). */
  | { kind: 'checksum'; sha256: string | null }

/** What the page sends to the worker, once: to make a copy, or only to find what lies below. */
export type CorrectRequest = CheckRequest & {
  wants: CorrectResult['kind']
  /** The ids of those to correct. */
  causes: readonly string[]
  answers: ReadonlyMap<string, CorrectionAnswer>
}

/** What the worker sends, once. */
export type CorrectResult =
  /** `removed`: the texts of rows and columns that the copy does not have; `remaining`: its errors. */
  | { kind: 'copy'; copy: Blob; removed: CorrectionOutcome['removed']; remaining: number | null }
  /** null where the choice is refused. */
  | { kind: 'below'; below: CausesBelow | null }

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
