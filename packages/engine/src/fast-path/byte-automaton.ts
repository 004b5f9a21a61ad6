import { ByteKind, type ByteKinds, isSuspect, mayBePadded } from '#formats/byte-kinds.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import { SPACE } from '#formats/byte-names.ts'

/**
 * A deterministic automaton over bytes. Bytes that always lead to the same states share a class: thousands of
 * states fit a few kilobytes, which are quick to build and stay in the cache.
 */
export type Automaton = {
  /** Byte → class. Class 0 leads to the dead state. */
  classes: Uint8Array
  width: number
  /** The next state is `targets[state * width + class]`. State 0 is dead. */
  targets: Uint16Array
  accepting: readonly boolean[]
  start: number
  /** Beyond ASCII the result is exact, or only the reference can decide. Bytes must be valid UTF-8. */
  beyondAscii: 'exact' | 'unsure'
  /** How many digits of ASCII its texts have, at least and at most. */
  digits: readonly [least: number, most: number]
}

/** For the loop over a cell's bytes: a state is the index of its row in `next`; column 0 stops the loop. */
type PackedAutomaton = {
  /** Byte → column of `next`; the loop stops at 0. */
  classes: Uint8Array
  /** `next[state + column]` is the next state. */
  next: Uint16Array
  accepting: Uint8Array
  start: number
}

/** null if the table is too large for 16-bit indices. */
function pack(
  { classes, width, targets, accepting, start }: Automaton,
  stops: (byte: number) => boolean,
): PackedAutomaton | null {
  // Column 0 means stop, so every class, 0 included, moves one column to the right.
  const columns = width + 1
  const size = accepting.length * columns
  if (size > 0xffff) return null
  const next = new Uint16Array(size)
  const accepts = new Uint8Array(size)
  for (let state = 0; state < accepting.length; state++) {
    for (let index = 1; index < width; index++)
      next[state * columns + index + 1] = targets[state * width + index] * columns
    accepts[state * columns] = accepting[state] ? 1 : 0
  }
  return {
    classes: classes.map((index, byte) => (stops(byte) ? 0 : index + 1)),
    next,
    accepting: accepts,
    start: start * columns,
  }
}

/** The fast path of an automaton; null if its table would be too large. */
export function automatonPath(automaton: Automaton, kinds: ByteKinds, required: boolean): ByteAccept | null {
  const isKnown = (byte: number) => byte < 0x80 || automaton.beyondAscii === 'exact'
  const packed = pack(automaton, (byte) => kinds[byte] > ByteKind.Character || !isKnown(byte))
  if (packed === null) return null
  const { classes, next, accepting, start } = packed
  /** Columns of the bytes of kind `Suspect`, for those that `isSuspect` finds harmless. */
  const suspects = automaton.classes.map((index, byte) =>
    kinds[byte] === ByteKind.Suspect && isKnown(byte) ? index + 1 : 0,
  )
  return (bytes, position) => {
    let at = position
    if (kinds[bytes[at]] === ByteKind.End) return required ? NOT_SURE : at
    if (bytes[at] <= SPACE) return NOT_SURE
    let state = start
    for (;;) {
      for (let column = classes[bytes[at]]; column !== 0; column = classes[bytes[++at]])
        state = next[state + column]
      const suspect = suspects[bytes[at]]
      if (suspect === 0 || isSuspect(bytes, at)) break
      state = next[state + suspect]
      at++
    }
    if (kinds[bytes[at]] !== ByteKind.End) return NOT_SURE
    if (accepting[state] === 0 || bytes[at - 1] <= SPACE) return NOT_SURE
    const isAsciiAtEnds = (bytes[position] | bytes[at - 1]) < 0x80
    return isAsciiAtEnds || !mayBePadded(bytes, position, at) ? at : NOT_SURE
  }
}

/** Any first byte of a character beyond ASCII: the automaton of a pattern treats them alike. */
const LEADING_BYTE = 0xc3

/** Whether the automaton of a pattern accepts a text; null if it cannot decide. */
export function textMatcher(automaton: Automaton): (text: string) => boolean | null {
  const { classes, width, targets, accepting, start, beyondAscii } = automaton
  return (text) => {
    let state = start
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code < 0x80) {
        state = targets[state * width + classes[code]]
      } else {
        if (beyondAscii === 'unsure') return null
        state = targets[state * width + classes[LEADING_BYTE]]
        if (text.codePointAt(index)! > 0xffff) index++
      }
    }
    return accepting[state]
  }
}

const LAST_PRINTABLE = 0x7e
const CASE = 0x20

/**
 * Whether a refused text may be accepted in capitals, in small letters or without its spaces. True with
 * characters that are not printable ASCII, or spaces side by side. All writings are read at once.
 */
export function writingsMatcher(automaton: Automaton): (text: string) => boolean {
  const { classes, width, targets, accepting, start } = automaton
  return (text) => {
    let upper = start
    let lower = start
    let joined = start
    let joinedUpper = start
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code < SPACE || code > LAST_PRINTABLE || (code === SPACE && text.charCodeAt(at + 1) === SPACE))
        return true
      const capital = classes[code >= 0x61 && code <= 0x7a ? code - CASE : code]
      upper = targets[upper * width + capital]
      lower = targets[lower * width + classes[code >= 0x41 && code <= 0x5a ? code + CASE : code]]
      if (code === SPACE) continue
      joined = targets[joined * width + classes[code]]
      joinedUpper = targets[joinedUpper * width + capital]
    }
    return accepting[upper] || accepting[lower] || accepting[joined] || accepting[joinedUpper]
  }
}
