import type { CheckRequest } from './check-messages.ts'

/** What the page sends to the worker, once. `causes`: the ids of those to correct. */
export type CorrectRequest = CheckRequest & { causes: readonly string[] }

/** What the worker sends, once. */
export type CorrectMessage = { kind: 'copy'; copy: Blob } | { kind: 'failed'; error: string }
