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
  /** Ours, as all below: the screen. */
  none: 'No tokens',
  noneText: 'A token lets a program upload files for this company, and read their results.',
  create: 'Create token',
  nameLabel: 'Name',
  nameHint: 'The program that uses it; the history shows it as the uploader.',
  daysLabel: 'Valid for days',
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
