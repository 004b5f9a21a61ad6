import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { CellFault, CellFaultCode } from '@veridict/contract/model/cell-error'
import type { ListRule } from '@veridict/contract/model/rule'
import { type FastPath, NOT_SURE } from '#fast-path/fast-path.ts'
import { ByteKind, type ByteKinds } from '#formats/byte-kinds.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'

/** A list rule for cells with several values: each is trimmed and checked against the list. */
export function severalValues(rule: ListRule & { separator: string }, list: CompiledRule): CompiledRule {
  const { separator, minValues = 0, maxValues = Infinity } = rule
  const expected = cellExpectations.severalValues(list.expected, separator, minValues, maxValues)
  const fault = (code: CellFaultCode, error: string): CellFault => ({ code, error, expected })
  const emptyValue = fault('emptyValue', cellErrors.emptyValue(separator))
  return {
    expected,
    check(text) {
      const values = text.split(separator).map((value) => value.trim())
      if (values.includes('')) return emptyValue
      for (const value of values) {
        const found = list.check(value)
        if (found !== null) return found
      }
      const { length } = values
      if (length < minValues) return fault('tooFewValues', cellErrors.tooFewValues(length, minValues))
      return length > maxValues ? fault('tooManyValues', cellErrors.tooManyValues(length, maxValues)) : null
    },
    fastPath: (kinds, required) => severalPath(rule, list, kinds, required),
  }
}

/** Walks from value to value, each ended by the separator or the end of the cell. */
function severalPath(
  { separator, minValues = 0, maxValues = Infinity }: ListRule & { separator: string },
  list: CompiledRule,
  kinds: ByteKinds,
  required: boolean,
): FastPath {
  const byte = separator.charCodeAt(0)
  if (byte >= 0x80 || kinds[byte] !== ByteKind.Character) return neverSure
  const valueKinds = kinds.slice()
  valueKinds[byte] = ByteKind.End
  const { accept } = list.fastPath(valueKinds, true)
  return {
    accept(bytes, position) {
      if (kinds[bytes[position]] === ByteKind.End) return required ? ~position : position
      let count = 1
      let end = accept(bytes, position)
      for (; end >= 0 && bytes[end] === byte; count++) end = accept(bytes, end + 1)
      return end >= 0 && count >= minValues && count <= maxValues ? end : NOT_SURE
    },
    reject: () => null,
  }
}
