import { setTimeout as sleep } from 'node:timers/promises'
import type { MailRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { MailRefusedError } from '#platform/mail/mailer.ts'
import {
  claimNextMail,
  delayBlockedMail,
  delayRefusedMail,
  markMailSent,
  parkMail,
  renewMailClaim,
} from '#mail/mails.ts'

/** Longer than a claim: after an outage, the mark most likely comes before another worker sends it again. */
const MARK_MILLISECONDS = 15 * 60_000
const MARK_PAUSE_MILLISECONDS = 1_000
/** A quarter of the claim: two renewals may fail before another worker sends the e-mail, too. */
const RENEWAL_MILLISECONDS = 30_000

type MailDeps = Pick<Deps, 'db' | 'mailer' | 'log' | 'metrics' | 'tracing'>

/**
 * Oldest first, until the mail server cannot be reached. An e-mail is marked after the server has taken it: a
 * crash in between can duplicate it (with the same Message-ID), never lose it. Returns how many were sent,
 * and whether the server stopped the rest. Any number of workers may run it.
 */
export async function sendPendingMails(deps: MailDeps): Promise<{ sent: number; isBlocked: boolean }> {
  for (let sent = 0; ;) {
    const mail = await claimNextMail(deps.db)
    if (mail === undefined) return { sent, isBlocked: false }
    const outcome = await send(mail, deps)
    if (outcome === 'blocked') return { sent, isBlocked: true }
    if (outcome === 'refused') continue
    sent++
    await mark(mail.id, deps)
  }
}

async function send(mail: MailRow, deps: MailDeps): Promise<'sent' | 'refused' | 'blocked'> {
  const { messageId, recipient, subject, textBody, htmlBody, createdAt, traceparent } = mail
  let renewed = Promise.resolve()
  const renewal = setInterval(() => (renewed = renewClaim(mail, deps)), RENEWAL_MILLISECONDS)
  try {
    await deps.tracing.resume(traceparent, { name: 'send e-mail', kind: 'client' }, () =>
      deps.mailer.send({ messageId, recipient, subject, text: textBody, html: htmlBody, sentAt: createdAt }),
    )
  } catch (error) {
    clearInterval(renewal)
    // A renewal after `settleFailure` would overwrite the time of the next attempt.
    await renewed
    return settleFailure(mail, error as Error, deps)
  }
  clearInterval(renewal)
  return 'sent'
}

/** A mail server may take minutes over an e-mail. */
async function renewClaim({ id }: MailRow, { db, log }: MailDeps): Promise<void> {
  await renewMailClaim(db, id).catch((error: unknown) =>
    log.warn({ err: error, mailId: id }, 'the claim of an e-mail could not be renewed'),
  )
}

/** Tries again after every error: unmarked, the e-mail would be claimed and sent again. */
async function mark(sentId: number, { db, log }: MailDeps): Promise<void> {
  const end = performance.now() + MARK_MILLISECONDS
  for (let failures = 0; ; failures++) {
    try {
      return await markMailSent(db, sentId)
    } catch (error) {
      if (failures === 0) log.warn({ err: error, mailId: sentId }, 'an e-mail was sent and is not marked yet')
      if (performance.now() > end) throw error
    }
    await sleep(MARK_PAUSE_MILLISECONDS)
  }
}

async function settleFailure(
  { id, attempts }: MailRow,
  error: Error,
  { db, log, metrics }: MailDeps,
): Promise<'refused' | 'blocked'> {
  const reason = withoutTokens(error.message).slice(0, 500)
  if (!(error instanceof MailRefusedError)) {
    await delayBlockedMail(db, id, reason)
    log.warn({ mailId: id, reason }, 'the mail server cannot be reached; e-mails wait')
    return 'blocked'
  }
  if (!error.isPermanent && (await delayRefusedMail(db, id, reason))) {
    log.warn({ mailId: id, attempts, reason }, 'an e-mail was refused for now; it is sent again later')
  } else {
    await parkMail(db, id, reason)
    metrics.failures.inc({ kind: 'mail' })
    log.error({ mailId: id, attempts, reason }, 'an e-mail was refused; administrators can send it again')
  }
  return 'refused'
}

/** Filters of mail servers quote addresses that they dislike; administrators and the log see the reason. */
const withoutTokens = (reason: string): string => reason.replace(/token=[^\s&"'<>]+/gi, 'token=…')
