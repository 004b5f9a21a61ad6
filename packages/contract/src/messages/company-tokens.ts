import type { TokenScope } from '#model/token-scope.ts'

/** Sentences about tokens of companies. See docs/BEHAVIOUR.md#tokens. */
export const companyTokenMessages = {
  title: 'Tokens',
  nameRequired: 'Name is required',
  nameLikeEmail: 'The name must not contain @: it could be taken for the email address of a person.',
  daysInvalid: (maxDays: number) => `The days must be a whole number from 1 to ${maxDays}.`,
  created: 'The token has been created.',
  revoked: 'The token has been revoked.',
  /** The reply to a call with a token that does not work. */
  notValid: 'The token is wrong, has expired or was revoked.',
  /** The reply to a call that the scope of the token does not reach. */
  notInScope: {
    upload: 'This token may upload files and follow their status, and nothing else.',
    read: 'This token may read files and their results, and nothing else.',
    both: 'This token may upload files and read their results, and nothing else.',
  } satisfies Record<TokenScope, string>,
  /** Ours, as all below: the screen. */
  none: 'No tokens',
  noneText: 'A token lets a program upload files for this company, or read their results.',
  create: 'Create token',
  nameLabel: 'Name',
  nameHint: 'The program that uses it; the history shows it as the uploader.',
  daysLabel: 'Valid for days',
  scopeLabel: 'Rights',
  scopes: { both: 'Upload and read', upload: 'Upload only', read: 'Read only' } satisfies Record<
    TokenScope,
    string
  >,
  scopeHints: {
    both: 'It uploads files, and reads the files and results of the company.',
    upload: 'It uploads files and sees whether they were accepted, not what is wrong in them.',
    read: 'It reads the files and results of the company.',
  } satisfies Record<TokenScope, string>,
  creatorLabel: 'Created by',
  creatorUnknown: 'not recorded',
  shownOnceTitle: 'Copy the token now',
  shownOnceText: 'It is shown only this once: the portal keeps nothing from which it can be read.',
  copy: 'Copy',
  copied: 'Copied',
  done: 'Done',
  revoke: 'Revoke',
  revokeTitle: 'Revoke token',
  revokeText: (name: string) =>
    `Programs that use "${name}" can no longer upload files or read results. This cannot be undone.`,
  neverUsed: 'never',
  expired: 'expired',
} as const
