import { closeSync, openSync, writeSync } from 'node:fs'
import type { Column } from './columns.ts'
import type { RowMaker } from './rows.ts'

const WRITE_BYTES = 1 << 20
/** From so many bytes before the requested size on, each row is written at once. */
const LAST_WRITE_BYTES = 400
/** A file is complete when it is so many bytes below the requested size. */
const TOLERANCE_BYTES = 600

/** Writes rows until the file has about `bytes` bytes. RFC 4180, UTF-8, lines end in LF. */
export function writeCsv(path: string, columns: readonly Column[], rows: RowMaker, bytes: number): void {
  const file = openSync(path, 'w')
  let pending = `${columns.map(({ name }) => quoted(name)).join(',')}\n`
  let written = 0
  while (written < bytes - TOLERANCE_BYTES) {
    pending += `${rows.next().map(quoted).join(',')}\n`
    if (pending.length <= WRITE_BYTES && written + pending.length < bytes - LAST_WRITE_BYTES) continue
    written += writeSync(file, pending)
    pending = ''
  }
  closeSync(file)
  rows.truth.bytes = written
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
