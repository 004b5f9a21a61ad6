import { guessLimits, sessionTimes } from '@veridict/contract/limits'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

type PasswordLink = { name: string; address: string }

const invitationLinkLife =
  `The link works once and for ${sessionTimes.invitationLink / DAY} days. After that, "Forgot ` +
  'password?" on the login page sends you a new one.'

/** To a new user: the link to set the first password. */
export const invitationMail = ({ name, address }: PasswordLink): MailMessage =>
  composeMail({
    subject: 'Welcome to Veridict: set your password',
    name,
    opening: [
      'An account was created for you in the Veridict portal. Set a password to log in for the first time.',
    ],
    action: { label: 'Set password', address },
    closing: [invitationLinkLife],
  })

/** To the new e-mail address of a user, whose old address may be wrong or of another person. */
export const newAddressMail = ({ name, address }: PasswordLink): MailMessage =>
  composeMail({
    subject: 'Your new e-mail address for Veridict: set your password',
    name,
    opening: [
      'An administrator entered this e-mail address for your Veridict account. You log in with it from now ' +
        'on. Set a new password here; until then the old one works.',
    ],
    action: { label: 'Set password', address },
    closing: [invitationLinkLife],
  })

/** To a user who forgot the password, or whose password an administrator resets. */
export const passwordResetMail = ({ name, address }: PasswordLink): MailMessage =>
  composeMail({
    subject: 'Set a new password for Veridict',
    name,
    opening: ['A new password was requested for your Veridict account. Use this link to set it.'],
    action: { label: 'Set password', address },
    closing: [
      `The link works once and for ${sessionTimes.resetLink / MINUTE} minutes. Setting the password ends ` +
        'all your sessions.',
      'If you did not request it, do nothing: your password stays as it is.',
    ],
  })

/** To a user who is invited, or whose access an administrator resets, where passwords are not used. */
export const signOnMail = ({ name, address }: PasswordLink): MailMessage =>
  composeMail({
    subject: 'Your account for Veridict',
    name,
    opening: [
      'You have an account in the Veridict portal. Log in with single sign-on, with this e-mail address; ' +
        'you need no password.',
    ],
    action: { label: 'Log in', address },
    closing: [],
  })

/** To a user on whose account so many wrong passwords were tried that no more are checked. */
export const guessingMail = ({ name, address }: PasswordLink): MailMessage =>
  composeMail({
    subject: 'Too many wrong passwords on your Veridict account',
    name,
    opening: [
      `Somebody tried ${guessLimits.perDay} wrong passwords on your account within a day. Until fewer were ` +
        'tried, you can log in only from where you logged in before, or from where you use this link to ' +
        'set a new password.',
    ],
    action: { label: 'Set password', address },
    closing: [
      `The link works once and for ${sessionTimes.resetLink / MINUTE} minutes. After that, "Forgot ` +
        'password?" on the login page sends you a new one.',
      'If you can still log in, there is nothing that you have to do: no password that was tried was right.',
    ],
  })
