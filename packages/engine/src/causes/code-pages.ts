import type { ByteSource } from '#byte-source.ts'
import { sourceBytes } from '#formats/source-bytes.ts'
import type { Platform } from '#platform.ts'
import codePages from '#known/code-pages.json' with { type: 'json' }

/** What the bytes from 0x80 on are in a code page; NUL for none. */
const PAGES: Readonly<Record<string, string>> = codePages
const FIRST_HIGH = 0x80
/** More are shown only where these do not tell all code pages apart. */
const EXAMPLES = 3
/** Characters before and after a byte that are shown with it. */
const SHOWN_AROUND = 12

/** A code page, and what some words of the file are in it. */
export type CodePage = { readonly name: string; readonly examples: string }

/** Those that give the text different letters. None if parts of it are UTF-8: then none is right for all. */
export async function readCodePages(
  source: ByteSource,
  platform: Pick<Platform, 'isUtf8'>,
): Promise<CodePage[]> {
  const used = new Set<number>()
  const words: Uint8Array[] = []
  for await (const chunk of sourceBytes(source))
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] < FIRST_HIGH) continue
      const end = endOfHigh(chunk, at)
      if (end - at > 1 && platform.isUtf8(chunk.subarray(at, end))) return []
      if (chunk.subarray(at, end).some((byte) => !used.has(byte))) words.push(wordAround(chunk, at))
      for (; at < end; at++) used.add(chunk[at])
    }
  const byLetters = new Map<string, string>()
  for (const name of Object.keys(PAGES)) {
    const letters = [...used].map((byte) => PAGES[name][byte - FIRST_HIGH])
    const key = letters.join('')
    if (letters.every(isUsual) && !byLetters.has(key)) byLetters.set(key, name)
  }
  const names = [...byLetters.values()]
  const examples = tellingWords(words, names)
  return names.map((name) => ({ name, examples: examples.map((word) => decode(word, name)).join(', ') }))
}

/** The words that tell the most code pages apart, the first ones of the file where all tell the same. */
function tellingWords(words: readonly Uint8Array[], pages: readonly string[]): Uint8Array[] {
  const told = (shown: readonly Uint8Array[]) =>
    new Set(pages.map((name) => shown.map((word) => decode(word, name)).join())).size
  const chosen: Uint8Array[] = []
  const left = [...words]
  while (left.length > 0 && (chosen.length < EXAMPLES || told(chosen) < pages.length)) {
    const counts = left.map((word) => told([...chosen, word]))
    chosen.push(...left.splice(counts.indexOf(Math.max(...counts)), 1))
  }
  return chosen
}

/** Letters, and signs that people write; not those of drawings and formulas. */
const isUsual = (letter: string): boolean => /^[\p{L}\p{Sc}\p{P}\u00a0°ªº²³½¼®™©\u00ad´`]$/u.test(letter)

function endOfHigh(bytes: Uint8Array, from: number): number {
  let end = from
  while (end < bytes.length && bytes[end] >= FIRST_HIGH) end++
  return end
}

function wordAround(bytes: Uint8Array, at: number): Uint8Array {
  const isOfWord = (byte: number) => byte >= FIRST_HIGH || /[A-Za-z]/.test(String.fromCharCode(byte))
  let [start, end] = [at, at]
  while (start > Math.max(0, at - SHOWN_AROUND) && isOfWord(bytes[start - 1])) start--
  while (end < Math.min(bytes.length, at + SHOWN_AROUND) && isOfWord(bytes[end])) end++
  return bytes.slice(start, end)
}

const decode = (bytes: Uint8Array, name: string): string =>
  Array.from(bytes, (byte) =>
    byte < FIRST_HIGH ? String.fromCharCode(byte) : PAGES[name][byte - FIRST_HIGH],
  ).join('')

/** A text in a code page as UTF-8. */
export async function* fromCodePage(
  source: ByteSource,
  name: string,
  platform: Pick<Platform, 'encodeUtf8'>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of sourceBytes(source)) yield platform.encodeUtf8(decode(chunk, name))
}
