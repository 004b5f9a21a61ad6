/** Words of all forms. Ours. See docs/BEHAVIOUR.md#forms. */
export const formMessages = {
  /** Beside an input that may stay empty; all others are required. */
  optional: 'Optional',
} as const
