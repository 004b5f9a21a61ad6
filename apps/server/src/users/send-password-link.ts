import { guessLimits, sessionTimes } from '@veridict/contract/limits'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { composeMail, type MailMessage } from '#mail/mail-message.ts'
import { queueMail } from '#mail/queue-mail.ts'
import type { Trx, UserRow } from '#platform/database/tables.ts'
import { addPasswordLink, invalidatePasswordLinks } from '#users/password-links.ts'
import { mayUsePassword } from '#users/password-login.ts'

export type PasswordLinkDeps = Pick<Deps, 'ids' | 'tokens' | 'clock' | 'jobs' | 'env' | 'caller' | 'tracing'>

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE

const invitation = {
  kind: 'invitation',
  life: sessionTimes.invitationLink,
  closing: [
    `The link works once and for ${sessionTimes.invitationLink / DAY} days. After that, "Forgot ` +
      'password?" on the login page sends you a new one.',
  ],
} as const

const reset = { kind: 'reset', life: sessionTimes.resetLink } as const

/** Of each purpose the kind of its link, and what its e-mail says. */
const purposes = {
  /** To a new user: the link to set the first password. */
  invitation: {
    ...invitation,
    subject: 'Welcome to Veridict: set your password',
    opening: [
      'An account was created for you in the Veridict portal. Set a password to log in for the first time.',
    ],
  },
  /** To the new e-mail address of a user, whose old address may be wrong or of another person. */
  newAddress: {
    ...invitation,
    subject: 'Your new e-mail address for Veridict: set your password',
    opening: [
      'An administrator entered this e-mail address for your Veridict account. You log in with it from now ' +
        'on. Set a new password here; until then the old one works.',
    ],
  },
  /** To a user who forgot the password, or whose password an administrator resets. */
  reset: {
    ...reset,
    subject: 'Set a new password for Veridict',
    opening: ['A new password was requested for your Veridict account. Use this link to set it.'],
    closing: [
      `The link works once and for ${sessionTimes.resetLink / MINUTE} minutes. Setting the password ends ` +
        'all your sessions.',
      'If you did not request it, do nothing: your password stays as it is.',
    ],
  },
  /** To a user on whose account so many wrong passwords were tried that no more are checked. */
  guessing: {
    ...reset,
    subject: 'Too many wrong passwords on your Veridict account',
    opening: [
      `Somebody tried ${guessLimits.perDay} wrong passwords on your account within a day. Until fewer were ` +
        'tried, you can log in only from where you logged in before, or from where you use this link to ' +
        'set a new password.',
    ],
    closing: [
      `The link works once and for ${sessionTimes.resetLink / MINUTE} minutes. After that, "Forgot ` +
        'password?" on the login page sends you a new one.',
      'If you can still log in, there is nothing that you have to do: no password that was tried was right.',
    ],
  },
} as const
type Purpose = keyof typeof purposes

export function passwordMail(purpose: Purpose, name: string, address: string): MailMessage {
  const { subject, opening, closing } = purposes[purpose]
  return composeMail({ subject, name, opening, action: { label: 'Set password', address }, closing })
}

/** To a user who is invited, or whose access an administrator resets, where passwords are not used. */
export const signOnMail = (name: string, address: string): MailMessage =>
  composeMail({
    subject: 'Your account for Veridict',
    name,
    opening: [
      'You have an account in the Veridict portal. Log in with single sign-on, with this e-mail address; ' +
        'you need no password.',
    ],
    action: { label: 'Log in', address },
  })

/**
 * Replaces the user's older links, but a reset no invitation: anyone who knows the e-mail can ask for a
 * reset, and it expires sooner. The database has only a hash; the link's time begins when the e-mail is sent.
 */
export async function sendPasswordLink(
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'companyId'>,
  purpose: Purpose,
  trx: Trx,
  deps: PasswordLinkDeps,
): Promise<void> {
  if (!mayUsePassword(user.email, deps.env)) {
    await invalidatePasswordLinks(trx, [user.id])
    await queueMail(user.email, signOnMail(user.name, `${deps.env.publicUrl}/login`), trx, deps)
    return
  }
  const { kind, life } = purposes[purpose]
  await invalidatePasswordLinks(trx, [user.id], kind === 'reset' ? kind : undefined)
  const secret = deps.ids.secret()
  const query = new URLSearchParams({ email: user.email, token: secret })
  const address = `${deps.env.publicUrl}/set-password?${query}`
  const messageId = await queueMail(user.email, passwordMail(purpose, user.name, address), trx, deps)
  await addPasswordLink(trx, {
    userId: user.id,
    purpose: kind,
    tokenHash: deps.tokens.hashSecret(secret),
    // Until the e-mail is handed over, in case that it is and the mail server's reply is lost.
    expiresAt: new Date(deps.clock.now().getTime() + life),
    usedAt: null,
    messageId,
    lifeSeconds: life / 1000,
  })
  const about = { subject: user.email, companyId: user.companyId, detail: onlyAfter({ purpose }) }
  await recordAudit({ action: 'link.sent', ...about }, trx, deps)
}
