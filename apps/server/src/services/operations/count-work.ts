import type { Deps } from '#deps.ts'
import { countMails } from '#repositories/mails.ts'
import { countSubmissions } from '#repositories/readiness.ts'

/** What there is to do and was done, for the operator: submissions by status, and letters. */
export async function countWork({ db }: Pick<Deps, 'db'>) {
  const [counts, mails] = await Promise.all([countSubmissions(db), countMails(db)])
  return { submissions: new Map(counts.map(({ status, count }) => [status, count])), mails }
}
