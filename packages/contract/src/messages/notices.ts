import { writeCount } from '#notation/count.ts'

/** Titles and fallback texts of notices, and general refusals. See docs/BEHAVIOUR.md#notices. */
export const noticeMessages = {
  validationErrorTitle: 'Validation Error',
  errorTitle: 'Error',
  successTitle: 'Success',
  unexpected: 'An unexpected error occurred.',
  notFound: (what: string) => `${what} not found.`,
  noSuchCall: 'There is no such call.',
  wrongMethod: 'This call does not exist with this method.',
  oneHost: 'A request needs exactly one Host header.',
  foreignHost: 'The portal has another address, which its operator sets in PUBLIC_URL.',
  metricsClosed: 'The metrics need the bearer token that is set in METRICS_TOKEN.',
  upgradeRequired: 'This address accepts WebSocket connections only.',
  tooManyRequests: 'Too many requests. Please wait a moment and try again.',
  tooManyDownloads: (maximum: number) =>
    `You already have ${maximum} downloads running. Please wait until one of them is done.`,
  offline: 'You are offline. What you see may be out of date; it is read again when the connection is back.',
  unavailable: 'The portal is not available at the moment. Please try again in a few seconds.',
  notReady: (parts: readonly string[]) => `Not ready: ${parts.join(', ')}.`,
  degraded: (parts: readonly string[]) =>
    `The portal is protected less than it should be (${parts.join(', ')}). "veridict doctor" and the log ` +
    'tell the operator what to do.',
  internal: (requestId: string) =>
    `An unexpected error occurred. Please quote ${requestId} to the administrator.`,
  invalidId: 'A valid id is required.',
  invalidValue: 'The value is not valid.',
  tooLong: (maximum: number) => `At most ${writeCount(maximum)} characters are allowed.`,
  changedMeanwhile: 'This was changed by someone else in the meantime. Please load it again.',
  bodyUnreadable: 'The request could not be read.',
  bodyTooLarge: 'The request is too large.',
  wrongMediaType: 'This type of request body is not accepted.',
  nothingHereTitle: 'Nothing to see here',
  goHome: 'Go back to Home',
} as const
