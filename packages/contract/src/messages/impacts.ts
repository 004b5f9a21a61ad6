import { counted } from '#notation/count.ts'

/** Sentences about what a change would do to uploaded files. See docs/BEHAVIOUR.md#impact. Ours. */
export const impactMessages = {
  stillRunning: 'The files are still being validated. Wait until that has ended.',
  unmetByNone: 'No file of these uploads has errors of this rule.',
  notAhead: 'The day must be written yyyy-MM-dd, and lie in the future.',
  announced: (mails: number) => `Saved. ${counted(mails, 'clerk')} will get an e-mail.`,
} as const
