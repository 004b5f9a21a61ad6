import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { ByteSource } from '#byte-source.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'

/** The text of a file as well-formed UTF-8 without a byte order mark, read once, from start to end. */
export type TextBytes = {
  /**
   * Fills `into` (4 bytes or more); returns how many, 0 at the end. Throws `FileProblemError` if no text.
   * A plain number where reading is synchronous and needs no decoding.
   */
  read(into: Uint8Array): number | Promise<number>
}

/** An encoding that is read. Each can hold every text that is well-formed Unicode. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** A file whose text can be read as often as needed. */
export type Text = {
  readonly encoding: TextEncoding
  /** Where the text lies in the file, in bytes: after a byte order mark, before marks of the file's end. */
  readonly place: { readonly start: number; readonly end: number }
  /** Reads from `offset` on: bytes of the text as UTF-8, not of the file. */
  from(offset: number): Promise<TextBytes>
  /** The text's bytes, unchecked, to read at any place. Only where no decoding is needed. */
  readonly raw?: ByteSource
  /** The delimiter, where a line above the text states it (`sep=;`). */
  readonly delimiter?: number
}

/** The line of the file on which the text begins. */
export const firstLineOf = (text: Text): number => (text.delimiter === undefined ? 1 : 2)

/** The text is in another encoding. */
export class NotUtf8Error extends FileProblemError {
  /** `line` counts from 1. */
  constructor(line: number) {
    super(ErrorType.Unreadable, fileProblemMessages.notUtf8(line))
  }
}
