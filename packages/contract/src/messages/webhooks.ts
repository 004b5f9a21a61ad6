import { counted } from '#notation/count.ts'

/** Sentences about the webhook of a company. See docs/BEHAVIOUR.md#webhook. */
export const webhookMessages = {
  title: 'Webhook',
  urlInvalid: 'A valid address is required, such as https://example.com/hooks.',
  credentials: 'The address must not have a user name or a password.',
  httpsRequired: 'The address must begin with https://.',
  privateAddress: 'The address leads to this machine or into a private network, where nothing is sent.',
  set: 'The webhook has been set.',
  removed: 'The webhook has been removed.',
  /** Ours, as all below. Why a try got no response. */
  nameUnknown: 'The name of the host is not known.',
  noConnection: 'The host does not accept connections there.',
  noReply: (seconds: number) => `There was no response within ${seconds} seconds.`,
  failed: (reason: string) => `The connection failed: ${reason}.`,
  /** The screen. */
  lead: 'When a file has its final result, the portal sends a signed message to this address.',
  none: 'No webhook',
  noneText: 'The portal can notify a program of the company of every final result.',
  setUp: 'Set up webhook',
  change: 'Change',
  remove: 'Remove',
  removeTitle: 'Remove webhook',
  removeText: 'Nothing more is sent, not even what is still waiting. The secret stops being used.',
  addressLabel: 'Address',
  newSecretHint: 'Saving makes a new secret. The receiver needs it to check the signatures.',
  secretLabel: 'Secret',
  shownOnceTitle: 'Copy the secret now',
  shownOnceText: 'It is shown only this once. The receiver needs it to check the signatures.',
  /** `problem`: a sentence above, or a status. */
  waiting: (count: number, problem: string | null) =>
    `${counted(count, 'message is', 'messages are')} waiting to be sent again` +
    `${problem === null ? '' : ` (${problem.replace(/\.$/, '')})`}.`,
  test: 'Send a test',
  testDelivered: (status: number) => `The test was delivered: status ${status}.`,
  testRefused: (status: number) =>
    `The test was refused: status ${status}. Only 200 to 299 count as delivered.`,
} as const
