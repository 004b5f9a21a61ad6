/** Titles and fall-back texts of notifications, and refusals that belong to no topic. Spec §8; api.md. */
export const noticeMessages = {
  validationErrorTitle: 'Validation Error',
  errorTitle: 'Error',
  successTitle: 'Success',
  unexpected: 'An unexpected error occurred.',
  notFound: (what: string) => `${what} not found.`,
  noSuchCall: 'There is no such call.',
  tooManyRequests: 'Too many requests. Please wait a moment and try again.',
  unavailable: 'The portal is not available at the moment. Please try again in a few seconds.',
  internal: (requestId: string) => `An unexpected error occurred. Please quote ${requestId} to the administrator.`,
  invalidId: 'A valid id is required.',
  invalidValue: 'The value is not valid.',
  bodyUnreadable: 'The request could not be read.',
  bodyTooLarge: 'The request is too large.',
  wrongMediaType: 'This type of request body is not accepted.',
  nothingHereTitle: 'Nothing to see here',
  goHome: 'Go back to Home',
} as const
