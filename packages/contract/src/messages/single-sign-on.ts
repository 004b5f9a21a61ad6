/** Sentences of single sign-on; all ours. See docs/BEHAVIOUR.md#single-sign-on. */
export const signOnMessages = {
  button: 'Single sign-on',
  or: 'or',
  failed: 'Single sign-on did not work. Please try again.',
  refused: 'You cannot log in here with this account. Please ask an administrator.',
  unavailable: 'Single sign-on is not available at the moment. Please try again in a few minutes.',
  /** For the provider, which sends it. */
  logoutRefused: 'This is not a valid logout token.',
  noPasswords: 'Passwords are not used here. Please log in with single sign-on.',
  keepsAdministrator:
    'This account can log in when single sign-on is down (ADMIN_EMAIL). It keeps its email and cannot be ' +
    'deleted.',
} as const
