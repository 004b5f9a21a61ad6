import {
  describeSubmission,
  type ReceivedMail,
  rowsOf,
  type TestedSystem,
  violation,
} from '#test/chaos/invariants.ts'

/**
 * I7. Called when no e-mail waits any more. `kills`: how many processes were killed; each may have sent one
 * e-mail without recording that it was sent.
 */
export async function findMailViolations(
  system: TestedSystem,
  received: readonly ReceivedMail[],
  kills: number,
): Promise<string[]> {
  const mails = await system.db
    .selectFrom('mails')
    .select(['messageId', 'subject', 'attempts', 'sentAt'])
    .execute()
  const rows = (await rowsOf(system)).filter(({ userId }) => userId !== null)
  const counts = new Map<string, number>()
  for (const { messageId } of received) counts.set(messageId, (counts.get(messageId) ?? 0) + 1)
  const resent = mails.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  return [
    ...rows.flatMap((row) => {
      const own = mails.filter(({ subject }) => subject.includes(row.fileName))
      return own.length === 1
        ? []
        : [violation('I7', `${describeSubmission(row)} has ${own.length} e-mails of its result`)]
    }),
    ...mails.flatMap(({ messageId, subject, attempts, sentAt }) => {
      const times = counts.get(messageId) ?? 0
      return sentAt !== null && times >= 1 && times <= attempts
        ? []
        : [violation('I7', `"${subject}" was sent ${times} times in ${attempts} attempts`)]
    }),
    ...[...counts.keys()]
      .filter((messageId) => !mails.some((mail) => mail.messageId === messageId))
      .map((messageId) => violation('I7', `${messageId} was received and is not in the outbox`)),
    ...(resent > kills ? [violation('I7', `${resent} e-mails were sent again after ${kills} kills`)] : []),
  ]
}
