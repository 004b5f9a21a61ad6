import type { Field } from '@veridict/contract/model/field'
import type { ByteSource } from '#byte-source.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

/** What an error file is made of: it is a pure function of the file's bytes and the fields. */
export type ErrorFileRequest = {
  readonly source: ByteSource
  /** As uploaded; its ending helps to tell the kind. */
  readonly fileName: string
  readonly fields: readonly Field[]
  readonly platform: Platform
  readonly limits: FileGuards
}
