/** What ended a validation, as it travels on the wire. See docs/BEHAVIOUR.md#error-types. */
export const ErrorType = {
  RowErrors: 0,
  Columns: 1,
  ColumnOrder: 2,
  Unreadable: 3,
  NoRows: 4,
  BeyondLimit: 5,
  EmptyDictionary: 6,
  ProcessingFailed: 7,
} as const
export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType]
