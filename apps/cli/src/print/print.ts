// Not imported: an import evaluates all exports of node:fs, streams included, and adds 2 ms to every start.
const { writeSync } = process.getBuiltinModule('node:fs')

const STDOUT = 1

/** Whether the rest of the output goes through the stream `process.stdout`. */
let isStreamed = false

/**
 * A reader that closes stdout early, such as `| head`, causes no error: the rest is dropped, and error files
 * are still written. `process.stdout` costs a start 4 to 8 ms, so it is used only where a pipe does not wait
 * for its reader (EAGAIN).
 */
export function print(text: string): void {
  const bytes = Buffer.from(text)
  const written = isStreamed ? 0 : writeNow(bytes)
  if (written < bytes.length) writeToStream(bytes.subarray(written))
}

/** Returns how many bytes were written, or can be dropped. */
function writeNow(bytes: Uint8Array): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(STDOUT, bytes, written)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') return bytes.length
    if (code !== 'EAGAIN') throw error
  }
  return written
}

function writeToStream(bytes: Uint8Array): void {
  if (!isStreamed) process.stdout.on('error', throwUnlessClosed)
  isStreamed = true
  process.stdout.write(bytes)
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Escapes control characters, signs that turn the direction of what follows, and signs that nobody sees. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g
  return text.replace(escaped, (character) => controls[character] ?? escapeOf(character))
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  return hex.length > 2 ? `\\u${hex}` : `\\x${hex}`
}

/** What a command prints for programs. */
export const asJson = (value: object): string => `${JSON.stringify(value, null, 1)}\n`

/** A text of at most `most` characters; a longer one ends with …, not within a character. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
