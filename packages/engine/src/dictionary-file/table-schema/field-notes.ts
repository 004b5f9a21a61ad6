import { aboutFields } from '@veridict/contract/messages/table-schema'

/** Sentences about fields; the same sentence about many fields appears once and names them all. */
export class FieldNotes {
  readonly #names = new Map<string, string[]>()

  add(name: string, sentence: string): void {
    const names = this.#names.get(sentence)
    if (names === undefined) this.#names.set(sentence, [name])
    else names.push(name)
  }

  sentences(): string[] {
    return Array.from(this.#names, ([sentence, names]) => aboutFields(names, sentence))
  }
}
