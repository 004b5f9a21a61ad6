import { ByteKind, type ByteKinds, SPACE } from '#compile/byte-kinds.ts'
import type { ByteAccept } from '#compile/cell-check.ts'

/**
 * A set of texts as a deterministic automaton over bytes. State 0 is dead, and each state is a row of 256 targets; a
 * byte that leads nowhere has target 0.
 */
export type Automaton = { states: Uint16Array[]; accepting: boolean[]; start: number }

/** The same, its bytes folded into classes and its rows into one table: what the loop over a cell's bytes runs. */
type PackedAutomaton = {
  /** Byte → class; 0 where the run ends: at a terminator, or at a byte that only the reference can judge. */
  classes: Uint8Array
  /** `next[state + class]` is the next state, states being premultiplied by the number of classes. */
  next: Uint16Array
  accepting: Uint8Array
  start: number
}

/**
 * Bytes with equal columns become one class: thousands of states then fit a few kilobytes, and the loop stays in the
 * cache. null where the table would outgrow its 16-bit indices; the reference then serves alone.
 */
function pack({ states, accepting, start }: Automaton, stops: (byte: number) => boolean): PackedAutomaton | null {
  const classes = equivalentBytes(states, stops)
  const width = Math.max(...classes) + 1
  if (states.length * width > 0xffff) return null
  const next = new Uint16Array(states.length * width)
  const accepts = new Uint8Array(states.length * width)
  for (const [state, row] of states.entries()) {
    for (let byte = 0; byte < 256; byte++) if (classes[byte] !== 0) next[state * width + classes[byte]] = row[byte] * width
    accepts[state * width] = accepting[state] ? 1 : 0
  }
  return { classes, next, accepting: accepts, start: start * width }
}

/**
 * Refines one class of all running bytes by each state's targets; stops are class 0. Within a class, bytes that lead
 * nowhere keep their number: most rows of a list's automaton are nearly empty, and so cost next to nothing.
 */
function equivalentBytes(states: readonly Uint16Array[], stops: (byte: number) => boolean): Uint8Array {
  const classes = Uint32Array.from({ length: 256 }, (_, byte) => (stops(byte) ? 0 : 1))
  let last = 1
  for (const row of states) {
    const refined = new Map<number, number>()
    for (let byte = 0; byte < 256; byte++) {
      if (row[byte] === 0 || classes[byte] === 0) continue
      const key = classes[byte] * 0x10000 + row[byte]
      let number = refined.get(key)
      if (number === undefined) refined.set(key, (number = ++last))
      classes[byte] = number
    }
  }
  return numberedFromOne(classes)
}

function numberedFromOne(classes: Uint32Array): Uint8Array {
  const numbers = new Map<number, number>([[0, 0]])
  for (const number of classes) if (!numbers.has(number)) numbers.set(number, numbers.size)
  return Uint8Array.from(classes, (number) => numbers.get(number)!)
}

/**
 * The fast path of an automaton. Bytes of `beyondAscii: 'unsure'` automata above 0x7F send the cell to the reference;
 * those of 'exact' automata were built from bytes and know them.
 */
export function acceptAutomaton(
  automaton: Automaton,
  kinds: ByteKinds,
  required: boolean,
  beyondAscii: 'unsure' | 'exact',
): ByteAccept | null {
  const isText = (byte: number) => kinds[byte] <= ByteKind.Character && (byte < 0x80 || beyondAscii === 'exact')
  const packed = pack(automaton, (byte) => !isText(byte))
  if (packed === null) return null
  const { classes, next, accepting, start } = packed
  return (bytes, position) => {
    let at = position
    let column = classes[bytes[at]]
    if (column === 0) return required || kinds[bytes[at]] !== ByteKind.End ? -1 : at
    if (bytes[at] <= SPACE) return -1
    let state = start
    do {
      state = next[state + column]
      column = classes[bytes[++at]]
    } while (column !== 0)
    return accepting[state] === 1 && kinds[bytes[at]] === ByteKind.End && bytes[at - 1] > SPACE ? at : -1
  }
}

/** Whether the automaton knows `text`, exactly; null where the text has characters beyond ASCII. */
export function asciiMatcher({ states, accepting, start }: Automaton): (text: string) => boolean | null {
  return (text) => {
    let state = start
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return null
      state = states[state][code]
    }
    return accepting[state]
  }
}
