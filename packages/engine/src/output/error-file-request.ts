import type { Field } from '@veridict/contract/model/field'
import type { ByteSource } from '#byte-source.ts'
import type { FileGuards } from '#limits.ts'
import type { DatedRuleBook } from '#row-rules/compile-row-rules.ts'
import type { Platform } from '#platform.ts'

/** What an error file is made from. The same file and fields always give the same bytes. */
export type ErrorFileRequest = {
  readonly source: ByteSource
  /** The name of the uploaded file. Its extension helps to recognize the kind of file. */
  readonly fileName: string
  readonly fields: readonly Field[]
  /** The rules between its cells; without it there are none. */
  readonly ruleBook?: DatedRuleBook
  readonly platform: Platform
  readonly limits: FileGuards
}
