import { cellExpectations } from '@veridict/contract/messages/cells'
import type { TextRule } from '@veridict/contract/model/rule'
import { ByteKind, type ByteKinds, isSuspect, mayBePadded } from '#formats/byte-kinds.ts'
import { type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import { composed, mayCompose, MOST_COMPOSED } from '#rules/composed.ts'
import { CountFault } from '#rules/count-fault.ts'
import type { CompiledRule } from '#rules/compiled-rule.ts'
import { QUOTE, SPACE } from '#formats/byte-names.ts'

/** More than any cell can hold, and small enough to be compared as an integer. */
const UNBOUNDED = 2 ** 30

/**
 * Checks the length in Unicode code points ('👍' counts 1, as JSON Schema counts), both bounds inclusive. A
 * letter counts 1 with its accent, composed or not. See docs/BEHAVIOUR.md#cells.
 */
export function compileText(rule: TextRule): CompiledRule {
  const minimum = rule.minLength ?? 0
  const maximum = rule.maxLength || UNBOUNDED
  const expected = expectation(minimum, maximum)
  const faultOf = (length: number) => {
    if (length < minimum) return new CountFault('textTooShort', length, minimum, expected)
    return length > maximum ? new CountFault('textTooLong', length, maximum, expected) : null
  }
  return {
    expected,
    check: (text) => faultOf(textLength(text)),
    fastPath: (kinds, required) => textPath(minimum, maximum, kinds, required),
    describe: (kernel, column) => kernel.exports.describeText(column, minimum, maximum),
  }
}

function expectation(minimum: number, maximum: number): string {
  if (minimum > 0 && maximum < UNBOUNDED) return cellExpectations.textBetween(minimum, maximum)
  if (maximum < UNBOUNDED) return cellExpectations.textAtMost(maximum)
  return minimum > 0 ? cellExpectations.textAtLeast(minimum) : cellExpectations.anyText
}

/** NFC takes a few letters apart, such as those of Hebrew with a point: they count 1 all the same. */
export function textLength(text: string): number {
  const letters = composed(text)
  return letters === text ? codePoints(text) : Math.min(codePoints(text), codePoints(letters))
}

/** UTF-16 code units less one for each surrogate pair. */
function codePoints(text: string): number {
  return HIGH_SURROGATE.test(text) ? text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0) : text.length
}

/** Nearly free for a text without characters beyond U+00FF: V8 stores it in single bytes. */
const HIGH_SURROGATE = /[\ud800-\udbff]/
const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g

/** Counts the bytes that begin a character; an escaped quote counts one. Elsewhere a quote is never sure. */
function textPath(minimum: number, maximum: number, kinds: ByteKinds, required: boolean): ByteAccept {
  return (bytes, position) => {
    let at = position
    let length = 0
    for (;;) {
      for (let kind = kinds[bytes[at]]; kind <= ByteKind.Character; kind = kinds[bytes[++at]]) length += kind
      const byte = bytes[at]
      if (kinds[byte] === ByteKind.End) {
        if (byte !== QUOTE || bytes[at + 1] !== QUOTE) break
        at += 2
      } else {
        if (kinds[byte] === ByteKind.Unsure || isSuspect(bytes, at)) return NOT_SURE
        at++
      }
      length++
    }
    if (at === position) return required ? NOT_SURE : at
    if (length < minimum || length > maximum || bytes[position] <= SPACE || bytes[at - 1] <= SPACE)
      return NOT_SURE
    if (length === at - position) return at
    const isShort = length < minimum * MOST_COMPOSED && mayCompose(bytes, position, at)
    return isShort || mayBePadded(bytes, position, at) ? NOT_SURE : at
  }
}
