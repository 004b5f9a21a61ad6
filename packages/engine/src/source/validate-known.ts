import type { CompiledDictionary } from '#row-rules/compile-row-rules.ts'
import { nobody, type PacedSink, type TableSource } from '#source/table-source.ts'

/** Validates a table for a sink that must have each row once: what rows repeat is found out before. */
export async function validateKnown(
  table: TableSource,
  { columns, rules }: CompiledDictionary,
  sink: PacedSink,
): Promise<void> {
  if (rules !== null && !rules.keys.isEmpty) {
    rules.keys.start()
    do await table.validate(columns, { ...nobody, ready: () => sink.ready?.() }, rules)
    while (!rules.keys.endPass())
  }
  await table.validate(columns, sink, rules)
}
