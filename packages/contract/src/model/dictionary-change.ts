/** `format`: the type with all options; `required`: whether it can be empty. */
export type FieldPart = 'description' | 'category' | 'format' | 'required' | 'identifiesRow'

/**
 * What made a version differ from the one before. Stored for ever: a kind is never renamed or removed.
 * `carriedOver` marks versions from before changes were recorded.
 */
export type DictionaryChange =
  | { kind: 'created' }
  | { kind: 'copied'; from: string }
  | { kind: 'imported'; fileName: string }
  | { kind: 'renamed'; from: string }
  | { kind: 'fieldAdded'; field: string }
  /** `from` is the former name, or null if the name stayed. */
  | { kind: 'fieldChanged'; field: string; from: string | null; parts: FieldPart[] }
  | { kind: 'fieldDeleted'; field: string }
  | { kind: 'reordered' }
  /** `parts`: names of rules, and of what else a rule book has. */
  | { kind: 'rulesChanged'; parts: string[] }
  | { kind: 'carriedOver' }
