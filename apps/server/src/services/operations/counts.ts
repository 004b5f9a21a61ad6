import type { Deps } from '#deps.ts'
import { countCompanies } from '#repositories/companies.ts'
import { countDictionaries } from '#repositories/dictionaries.ts'
import { countMails } from '#repositories/mails.ts'
import { countSubmissionsByStatus } from '#repositories/submissions.ts'

/** For administrators: the dictionaries and companies that are not deleted. */
export async function countTotals({ db }: Pick<Deps, 'db'>) {
  const [dictionaries, companies] = await Promise.all([countDictionaries(db), countCompanies(db)])
  return { dictionaries, companies }
}

/** For operators: submissions by status, and e-mails in the outbox. */
export async function countWork({ db }: Pick<Deps, 'db'>) {
  const [counts, mails] = await Promise.all([countSubmissionsByStatus(db), countMails(db)])
  return { submissions: new Map(counts.map(({ status, count }) => [status, count])), mails }
}
