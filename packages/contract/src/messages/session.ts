/** Sentences of logging in, passwords and sessions. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export const sessionMessages = {
  emailRequired: 'Email address is required.',
  emailInvalid: 'A valid email address is required.',
  passwordRequired: 'Password is required.',
  passwordWeak:
    'Password must be at least 8 characters and include uppercase, lowercase, number, and special character',
  passwordTooLong: 'Password must be at most 128 characters.',
  passwordCommon: 'This password is too common. Please choose one that is harder to guess.',
  passwordPersonal: 'Password must not be your own email address, name or company.',
  passwordsDiffer: 'Passwords do not match',
  wrongCredentials: 'Invalid email or password.',
  invalidResetLink: 'Invalid reset link. Please try again.',
  spentResetLink: 'This link is no longer valid. Please ask for a new one.',
  /** Ours. */
  askForLink: 'Ask for a new link',
  resetMailSent:
    'If this email address belongs to an account, an email with further instructions is on its way.',
  passwordSet: 'Your password has been set. You can log in with it now.',
  loggedOut: 'You are logged out.',
  /** Ours, down to `otherSessionsEnded`. */
  sessionsTitle: 'Your sessions',
  sessionsLead: 'Where your account is logged in. End what you do not recognize, then change your password.',
  thisSession: 'this one',
  unknownDevice: 'Unknown device',
  endSession: 'End session',
  endOthers: 'End all others',
  sessionEndedByOwner: 'The session has ended.',
  otherSessionsEnded: 'All other sessions have ended.',
  notLoggedIn: 'Please log in.',
  sessionEnded: 'Your session has ended. Please log in again.',
  wrongApiKey: 'The API key is missing or wrong.',
  notAllowed: 'You are not allowed to do this.',
  forgotTitle: 'Forgot your password?',
  forgotText: 'Enter the email you use to log in. We will send you an email with further instructions.',
} as const
