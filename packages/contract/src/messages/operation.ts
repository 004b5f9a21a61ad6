import { adminScreenTitles } from './admin-screens.ts'

/** Sentences of the screen of operators, and of maintenance mode. See docs/BEHAVIOUR.md#operation. */
export const operationMessages = {
  title: adminScreenTitles.operation,
  messageRequired: 'Write the sentence that everybody reads meanwhile.',
  switchedOn: 'Maintenance mode is on: uploads are refused with your sentence.',
  switchedOff: 'Maintenance mode is off: uploads are accepted again.',
} as const
