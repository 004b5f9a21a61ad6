import type { Automaton } from '#fast-path/byte-automaton.ts'
import { BEYOND_ASCII, type CharacterSet, type Pattern, type PatternNode } from '#rules/pattern-syntax.ts'

/** Larger patterns are left to the reference: the tables would not fit the cache, and take long to build. */
const MAX_STATES = 1000
const MAX_NODES = 5000

/** Of Thompson's construction: reads a character of `set` and goes to `next`, or forks. Node 0 accepts. */
type NfaNode = { set: CharacterSet | null; next: number; forks: number[] }

class TooLarge extends Error {}

/** Accepts texts that match as a whole (beyond ASCII only if `beyondAscii` is 'exact'); null if too large. */
export function determinize({ root, beyondAscii }: Pattern): Automaton | null {
  const nodes: NfaNode[] = [{ set: null, next: -1, forks: [] }]
  try {
    return { ...subsets(nodes, build(root, 0, nodes)), beyondAscii, digits: digitsIn(root) }
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  }
}

const [ZERO, NINE] = [0x30, 0x39]

function digitsIn(node: PatternNode): readonly [least: number, most: number] {
  switch (node.kind) {
    case 'set': {
      const digit = node.set.indexOf(1, ZERO)
      if (digit < 0 || digit > NINE) return [0, 0]
      return [node.set.indexOf(1) === digit && node.set.lastIndexOf(1) <= NINE ? 1 : 0, 1]
    }
    case 'sequence':
      return node.parts.map(digitsIn).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    case 'choice':
      return node.options.map(digitsIn).reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)])
    case 'repeat': {
      const [least, most] = digitsIn(node.part)
      // Infinity times 0 is not 0.
      return [least * node.least, most * node.most || 0]
    }
  }
}

/** Adds the nodes that read `node` and continue at `next`; returns the entry. Repeats are unrolled. */
function build(node: PatternNode, next: number, nodes: NfaNode[]): number {
  switch (node.kind) {
    case 'set':
      return add(nodes, { set: node.set, next, forks: [] })
    case 'sequence':
      return node.parts.reduceRight((entry, part) => build(part, entry, nodes), next)
    case 'choice':
      return fork(
        nodes,
        node.options.map((option) => build(option, next, nodes)),
      )
    case 'repeat':
      return buildRepeat(node, next, nodes)
  }
}

type RepeatNode = PatternNode & { kind: 'repeat' }

function buildRepeat({ part, least, most }: RepeatNode, next: number, nodes: NfaNode[]): number {
  let entry = next
  if (most === Infinity) {
    entry = fork(nodes, [next])
    nodes[entry].forks.push(build(part, entry, nodes))
  } else {
    for (let count = least; count < most; count++) entry = fork(nodes, [build(part, entry, nodes), next])
  }
  for (let count = 0; count < least; count++) entry = build(part, entry, nodes)
  return entry
}

const fork = (nodes: NfaNode[], forks: number[]) => add(nodes, { set: null, next: -1, forks })

function add(nodes: NfaNode[], node: NfaNode): number {
  if (nodes.length >= MAX_NODES) throw new TooLarge()
  return nodes.push(node) - 1
}

/** The subset construction. State 0 is the empty subset: dead. */
function subsets(nodes: readonly NfaNode[], entry: number): Omit<Automaton, 'beyondAscii' | 'digits'> {
  const numbers = new Map<string, number>()
  const members: (readonly number[])[] = []
  const numberOf = (subset: readonly number[]) => {
    const key = subset.join()
    let number = numbers.get(key)
    if (number === undefined) {
      if (members.length >= MAX_STATES) throw new TooLarge()
      numbers.set(key, (number = members.push(subset) - 1))
    }
    return number
  }
  numberOf([])
  const start = numberOf(closure([entry], nodes))
  const { classes, samples } = byteClasses(nodes)
  const targets: number[] = []
  for (let state = 0; state < members.length; state++) {
    targets.push(0)
    for (const character of samples) {
      const next = members[state].filter((node) => nodes[node].set?.[character] === 1)
      targets.push(
        next.length === 0
          ? 0
          : numberOf(
              closure(
                next.map((node) => nodes[node].next),
                nodes,
              ),
            ),
      )
    }
    // The last class, continuation bytes: a character is read at its first byte.
    targets.push(state)
  }
  const accepting = members.map((subset) => subset.includes(0))
  return { classes, width: samples.length + 2, targets: Uint16Array.from(targets), accepting, start }
}

/**
 * Characters of the same sets are one class, 0 if of none; the last class is continuation bytes. `samples`
 * has a character of each from 1 on.
 */
function byteClasses(nodes: readonly NfaNode[]): { classes: Uint8Array; samples: readonly number[] } {
  const sets = new Set(nodes.map(({ set }) => set))
  sets.delete(null)
  const classes = new Uint8Array(256)
  let samples: number[] = []
  for (const set of sets) samples = splitClasses(classes, set!)
  // A character beyond ASCII begins with one of the last bytes and goes on with those between.
  classes.fill(classes[BEYOND_ASCII], 0xc0)
  return { classes: classes.fill(samples.length + 1, 0x80, 0xc0), samples }
}

/** Returns a character of each class from 1 on; class 0 keeps the characters that are of no set so far. */
function splitClasses(classes: Uint8Array, set: CharacterSet): number[] {
  /** By twice the former class, plus one for the characters of `set`: the class from now on. */
  const numbers = new Uint8Array(2 * (BEYOND_ASCII + 2))
  const samples: number[] = []
  for (let character = 0; character <= BEYOND_ASCII; character++) {
    const key = 2 * classes[character] + set[character]
    if (key !== 0 && numbers[key] === 0) numbers[key] = samples.push(character)
    classes[character] = numbers[key]
  }
  return samples
}

/** The nodes reached without reading: those that read, and the accepting one; sorted. */
function closure(entries: readonly number[], nodes: readonly NfaNode[]): readonly number[] {
  if (entries.length === 1 && nodes[entries[0]].forks.length === 0) return entries
  const seen = new Set(entries)
  // A set also visits what is added meanwhile.
  for (const node of seen) for (const fork of nodes[node].forks) seen.add(fork)
  return [...seen].filter((node) => node === 0 || nodes[node].set !== null).sort((a, b) => a - b)
}
