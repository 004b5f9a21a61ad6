import type { Automaton } from '#fast-path/byte-automaton.ts'

/**
 * The common subset of the pattern language (RE2) for the byte automaton: literals, `.`, classes, \d \w \s
 * and their negations, groups, alternation, `* + ? {m,n}` greedy or lazy, and anchors at the ends of the
 * whole. null for all else, and where the meaning is not certain: the reference is slower and never wrong.
 *
 * ASCII characters are modelled one by one, all others as one: a pattern in ASCII treats these alike (RE2's
 * classes are those of ASCII, and nothing in the subset ignores case). A pattern with other characters is
 * exact for ASCII texts only; those characters become the empty set.
 *
 * Add new syntax to the property in `pattern.test.ts`, which compares it with RE2.
 */
export type Pattern = { root: PatternNode; beyondAscii: Automaton['beyondAscii'] }

export type PatternNode =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; options: readonly PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; least: number; most: number }

/** 1 for each of the 128 ASCII characters in the set, and at `BEYOND_ASCII` for all others together. */
export type CharacterSet = Uint8Array

/** The place in a `CharacterSet` that stands for every character beyond ASCII. */
export const BEYOND_ASCII = 128
/** RE2 refuses larger counts, also if they multiply: (a{50}){50}. */
const MAX_REPEAT = 1000
/** Nested groups. RE2 allows a depth of 1,000, of which a group takes at most four. */
const MAX_DEPTH = 200

/** Thrown only inside this file: the pattern is beyond the subset. */
class BeyondSubset extends Error {}

/** null for a pattern beyond the subset. */
export function parsePattern(pattern: string): Pattern | null {
  try {
    const root = new PatternReader(pattern).read()
    if (!repeatsWithin(root, MAX_REPEAT)) return null
    return { root, beyondAscii: isAscii(pattern) ? 'exact' : 'unsure' }
  } catch (error) {
    if (error instanceof BeyondSubset) return null
    throw error
  }
}

/** Whether no part is repeated more than `most` times; repeats within repeats multiply. */
function repeatsWithin(node: PatternNode, most: number): boolean {
  switch (node.kind) {
    case 'set':
      return true
    case 'sequence':
      return node.parts.every((part) => repeatsWithin(part, most))
    case 'choice':
      return node.options.every((option) => repeatsWithin(option, most))
    case 'repeat': {
      const count = Math.max(1, node.most === Infinity ? node.least : node.most)
      return count <= most && repeatsWithin(node.part, Math.trunc(most / count))
    }
  }
}

const isAscii = (pattern: string): boolean =>
  [...pattern].every((character) => character.codePointAt(0)! < BEYOND_ASCII)

/*
 * Sets are made without a function for each character: in a new process, whose code is not optimized yet, the
 * patterns of a dictionary took 10 ms that way.
 */
/** Contains nothing beyond ASCII; only `not` adds that. `high` is included. */
const range = (low: number, high: number): CharacterSet =>
  new Uint8Array(BEYOND_ASCII + 1).fill(1, low, Math.min(high + 1, BEYOND_ASCII))
const only = (code: number) => range(code, code)

function not(set: CharacterSet): CharacterSet {
  const others = new Uint8Array(BEYOND_ASCII + 1)
  for (let code = 0; code <= BEYOND_ASCII; code++) others[code] = 1 - set[code]
  return others
}

function addSet(to: CharacterSet, set: CharacterSet): void {
  for (let code = 0; code <= BEYOND_ASCII; code++) to[code] |= set[code]
}

/** Made where a pattern has one: made at the start, they took 1 ms of each process. */
const digits = () => range(0x30, 0x39)
const wordCharacters = () => digits().fill(1, 0x41, 0x5b).fill(1, 0x5f, 0x60).fill(1, 0x61, 0x7b)
/** RE2's \s has no vertical tab. */
const spaces = () => range(0x09, 0x0d).fill(0, 0x0b, 0x0c).fill(1, 0x20, 0x21)

const CLASS_ESCAPES: Readonly<Record<string, () => CharacterSet>> = {
  d: digits,
  D: () => not(digits()),
  w: wordCharacters,
  W: () => not(wordCharacters()),
  s: spaces,
  S: () => not(spaces()),
}
const CONTROL_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' }
const PUNCTUATION = /[!-/:-@[-`{-~]/

class PatternReader {
  readonly #pattern: string
  #at = 0
  #depth = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  read(): PatternNode {
    const node = this.#choice(true)
    if (this.#at < this.#pattern.length) throw new BeyondSubset()
    return node
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? ''
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #choice(isTopLevel: boolean): PatternNode {
    const options = [this.#sequence(isTopLevel)]
    while (this.#take('|')) options.push(this.#sequence(isTopLevel))
    return options.length === 1 ? options[0] : { kind: 'choice', options }
  }

  /** The whole value must match, so an anchor at an end of a top-level alternative changes nothing. */
  #sequence(isTopLevel: boolean): PatternNode {
    if (isTopLevel) this.#take('^')
    const parts: PatternNode[] = []
    for (;;) {
      const next = this.#peek()
      if (next === '' || next === '|' || next === ')') return { kind: 'sequence', parts }
      if (isTopLevel && next === '$') {
        this.#at++
        if (this.#peek() !== '' && this.#peek() !== '|') throw new BeyondSubset()
        continue
      }
      parts.push(this.#repeated())
    }
  }

  #repeated(): PatternNode {
    const part = this.#atom()
    const bounds = this.#repeatBounds()
    if (bounds === null) return part
    this.#take('?')
    if (/[*+?{]/.test(this.#peek())) throw new BeyondSubset()
    return { kind: 'repeat', part, least: bounds[0], most: bounds[1] }
  }

  #repeatBounds(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    if (this.#take('?')) return [0, 1]
    if (this.#peek() !== '{') return null
    const [whole, least, comma, most] =
      /^\{(\d+)(,(\d*))?\}/.exec(this.#pattern.slice(this.#at, this.#at + 16)) ?? []
    if (whole === undefined) throw new BeyondSubset()
    this.#at += whole.length
    const upper = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)
    if (upper < Number(least) || Number(least) > MAX_REPEAT || (upper > MAX_REPEAT && upper !== Infinity))
      throw new BeyondSubset()
    return [Number(least), upper]
  }

  #atom(): PatternNode {
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return { kind: 'set', set: this.#class() }
    if (this.#take('.')) return { kind: 'set', set: not(only(0x0a)) }
    if (this.#take('\\')) return { kind: 'set', set: this.#escape() }
    if (/[\^$*+?{}\]]/.test(this.#peek())) throw new BeyondSubset()
    return { kind: 'set', set: only(this.#character()) }
  }

  #group(): PatternNode {
    const isPlain = !this.#pattern.startsWith('?', this.#at)
    if (!isPlain && !this.#take('?:')) throw new BeyondSubset()
    if (++this.#depth > MAX_DEPTH) throw new BeyondSubset()
    const node = this.#choice(false)
    if (!this.#take(')')) throw new BeyondSubset()
    this.#depth--
    return node
  }

  /** Starts after the bracket. An unusual bracket or hyphen is left to the reference. */
  #class(): CharacterSet {
    const negated = this.#take('^')
    const set = new Uint8Array(BEYOND_ASCII + 1)
    if (this.#peek() === ']') throw new BeyondSubset()
    while (!this.#take(']')) {
      if (this.#peek() === '' || this.#peek() === '[') throw new BeyondSubset()
      addSet(set, this.#classItem())
    }
    return negated ? not(set) : set
  }

  #classItem(): CharacterSet {
    const isFirst = /[[^]/.test(this.#pattern[this.#at - 1])
    if (this.#peek() === '-') {
      const isLast = this.#pattern[this.#at + 1] === ']'
      if (!isFirst && !isLast) throw new BeyondSubset()
      this.#at++
      if (this.#peek() === '-') throw new BeyondSubset()
      return only(0x2d)
    }
    const isEscape = this.#take('\\')
    if (isEscape && this.#peek() in CLASS_ESCAPES) return CLASS_ESCAPES[this.#pattern[this.#at++]]()
    const low = isEscape ? this.#escapedCharacter() : this.#character()
    if (this.#peek() !== '-' || this.#pattern[this.#at + 1] === ']') return only(low)
    this.#at++
    if (this.#peek() === '[' || this.#peek() === '') throw new BeyondSubset()
    const high = this.#take('\\') ? this.#escapedCharacter() : this.#character()
    if (high < low) throw new BeyondSubset()
    return range(low, high)
  }

  #escape(): CharacterSet {
    return this.#peek() in CLASS_ESCAPES
      ? CLASS_ESCAPES[this.#pattern[this.#at++]]()
      : only(this.#escapedCharacter())
  }

  #escapedCharacter(): number {
    const next = this.#peek()
    if (next > '\u007f') return this.#character()
    this.#at++
    if (next in CONTROL_ESCAPES) return CONTROL_ESCAPES[next].charCodeAt(0)
    if (!PUNCTUATION.test(next)) throw new BeyondSubset()
    return next.charCodeAt(0)
  }

  /** A whole code point, so that the two halves of an emoji are not two characters. */
  #character(): number {
    const code = this.#pattern.codePointAt(this.#at)
    if (code === undefined) throw new BeyondSubset()
    this.#at += code > 0xffff ? 2 : 1
    return code
  }
}
