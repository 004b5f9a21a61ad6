import { ByteKind, type ByteKinds, isSuspect, SPACE } from '#compile/byte-kinds.ts'
import type { ByteAccept } from '#compile/cell-check.ts'

/**
 * A set of texts as a deterministic automaton over bytes. Bytes that are never told apart share a class: thousands of
 * states then fit a few kilobytes, which are quickly made, and the loop over a cell stays in the cache.
 */
export type Automaton = {
  /** Byte → class. Those of class 0 lead nowhere. */
  classes: Uint8Array
  /** How many classes there are, 0 included. */
  width: number
  /** The next state is `targets[state * width + class]`. State 0 is dead. */
  targets: Uint16Array
  accepting: readonly boolean[]
  start: number
}

/** The same as the loop over a cell's bytes wants it: states premultiplied, and the bytes marked at which it stops. */
type PackedAutomaton = {
  /** Byte → class; 0 where the loop stops. */
  classes: Uint8Array
  /** `next[state + class]` */
  next: Uint16Array
  accepting: Uint8Array
  start: number
}

/** null where the table would outgrow its 16-bit indices. */
function pack({ classes, width, targets, accepting, start }: Automaton, stops: (byte: number) => boolean): PackedAutomaton | null {
  // One column more: a byte that leads nowhere does not stop the loop.
  const columns = width + 1
  const size = accepting.length * columns
  if (size > 0xffff) return null
  const next = new Uint16Array(size)
  const accepts = new Uint8Array(size)
  for (let state = 0; state < accepting.length; state++) {
    for (let index = 1; index < width; index++) next[state * columns + index + 1] = targets[state * width + index] * columns
    accepts[state * columns] = accepting[state] ? 1 : 0
  }
  return { classes: classes.map((index, byte) => (stops(byte) ? 0 : index + 1)), next, accepting: accepts, start: start * columns }
}

/**
 * The fast path of an automaton, or null where its table would be too large. Bytes of `beyondAscii: 'unsure'` automata
 * above 0x7F send the cell to the reference; those of 'exact' automata were built from bytes and know them.
 */
export function acceptAutomaton(
  automaton: Automaton,
  kinds: ByteKinds,
  required: boolean,
  beyondAscii: 'unsure' | 'exact',
): ByteAccept | null {
  const isKnown = (byte: number) => byte < 0x80 || beyondAscii === 'exact'
  const packed = pack(automaton, (byte) => kinds[byte] > ByteKind.Character || !isKnown(byte))
  if (packed === null) return null
  const { classes, next, accepting, start } = packed
  /** Classes of the bytes that go on where the look behind them finds nothing. */
  const suspects = automaton.classes.map((index, byte) => (kinds[byte] === ByteKind.Suspect && isKnown(byte) ? index + 1 : 0))
  return (bytes, position) => {
    let at = position
    if (kinds[bytes[at]] === ByteKind.End) return required ? -1 : at
    if (bytes[at] <= SPACE) return -1
    let state = start
    for (;;) {
      for (let column = classes[bytes[at]]; column !== 0; column = classes[bytes[++at]]) state = next[state + column]
      const suspect = suspects[bytes[at]]
      if (suspect === 0 || isSuspect(bytes, at)) break
      state = next[state + suspect]
      at++
    }
    return accepting[state] === 1 && kinds[bytes[at]] === ByteKind.End && bytes[at - 1] > SPACE ? at : -1
  }
}

/** Whether the automaton knows `text`, exactly; null where the text has characters beyond ASCII. */
export function asciiMatcher({ classes, width, targets, accepting, start }: Automaton): (text: string) => boolean | null {
  return (text) => {
    let state = start
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return null
      state = targets[state * width + classes[code]]
    }
    return accepting[state]
  }
}
