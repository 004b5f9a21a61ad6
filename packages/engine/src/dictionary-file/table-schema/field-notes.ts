import { aboutFields } from '@veridict/contract/messages/table-schema'

/** A sentence about the field of that name. */
export type FieldNote = { readonly name: string; readonly sentence: string }

/** The same sentence about many fields appears once and names them all. */
export const sentencesOf = (notes: readonly FieldNote[]): string[] =>
  Array.from(
    Map.groupBy(notes, ({ sentence }) => sentence),
    ([sentence, fields]) =>
      aboutFields(
        fields.map(({ name }) => name),
        sentence,
      ),
  )
