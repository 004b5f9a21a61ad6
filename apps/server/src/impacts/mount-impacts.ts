import * as endpoints from '@veridict/contract/api/impacts'
import { ruleBookLimits } from '@veridict/contract/limits'
import { impactMessages } from '@veridict/contract/messages/impacts'
import { cut } from '@veridict/contract/messages/row-rules'
import { isDay } from '@veridict/contract/model/check-rule-book'
import { counted } from '@veridict/contract/notation/count'
import { ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { utcDay } from '@veridict/contract/notation/utc-day'
import type { FastifyInstance } from 'fastify'
import { beginImpact, readImpact, type ImpactPlace } from '#impacts/read-impact.ts'
import { mount, withMessage } from '#platform/http/mount.ts'
import type { Deps } from '#deps.ts'
import { findCompaniesOf } from '#dictionaries/company-dictionaries.ts'
import { saveRuleBook } from '#dictionaries/rule-books.ts'
import { conflict, found, invalid, notFound } from '#errors.ts'
import { findImpact, findTriedFiles, markAnnounced } from '#impacts/impacts.ts'
import { composeMail, formatLongDay, type MailMessage } from '#mail/mail-message.ts'
import { type MailDeps, queueNotice } from '#mail/queue-mail.ts'
import { ruleBookEtag } from '#platform/etags.ts'
import { findClerksOf } from '#users/users.ts'

export function mountImpacts(app: FastifyInstance): void {
  mount(app, endpoints.tryImpact, async ({ params, body, deps }) => ({
    id: await beginImpact(params.id, body, deps),
  }))

  mount(app, endpoints.readImpact, ({ params, deps }) => readImpact(params, deps))

  mount(app, endpoints.announceRule, async ({ params, body, deps }) => {
    const announced = await announceRule(params, body, deps)
    return withMessage(announced, impactMessages.announced(announced.mails))
  })
}

type Announcement = { rule: string; from: string; version?: string | null }
type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller' | 'clock'> & MailDeps

/**
 * Saves the rules that were tried, one of them as a warning until the day `from`, and e-mails the day to the
 * clerks of the companies whose files do not meet it. Throws as `saveRuleBook` does, 404, and 409 while the
 * files are still being validated, or if this rule was announced after the same trial.
 */
async function announceRule(
  { id, impactId }: ImpactPlace,
  { rule: name, from, version }: Announcement,
  deps: Needs,
): Promise<{ mails: number; version: string }> {
  const { draft, doneAt } = await found(findImpact(deps.db, id, impactId), 'Impact')
  if (doneAt === null) throw conflict(impactMessages.stillRunning)
  if (!isDay(from) || from <= utcDay(deps.clock.now())) throw invalid('from', impactMessages.notAhead)
  const { ruleBook } = draft
  const rule = ruleBook.rules.find((each) => each.name === name)
  if (rule === undefined) throw notFound('Rule')
  if (rule.severity === 'warning') throw invalid('rule', impactMessages.neverRefuses)
  const unmet = await countUnmet(impactId, name, deps)
  const companies = (await findCompaniesOf(deps.db, id)).filter((company) => unmet.has(company.id))
  const clerks = await findClerksOf(
    deps.db,
    companies.map((company) => company.id),
  )
  const rules = ruleBook.rules.map((each) => (each === rule ? { ...rule, from } : each))
  const saving = { ...ruleBook, rules, version }
  const saved = await saveRuleBook(id, saving, deps, async ({ trx, name: dictionaryName }) => {
    if (!(await markAnnounced(trx, impactId, name))) throw conflict(impactMessages.announcedBefore)
    for (const clerk of clerks) {
      const mail = ruleAnnouncedMail({
        name: clerk.name,
        dictionaryName,
        rule: cut(ruleSentence(rule), ruleBookLimits.maxShownSentence),
        from: new Date(from),
        ...unmet.get(clerk.companyId!)!,
        address: `${deps.env.publicUrl}/home`,
      })
      await queueNotice(clerk.email, mail, trx, deps)
    }
  })
  return { mails: clerks.length, version: ruleBookEtag(saved) }
}

type Unmet = { files: number; cells: number }

/** By company: its files that do not meet the rule, and their cells. */
async function countUnmet(
  impactId: number,
  rule: string,
  { db }: Pick<Needs, 'db'>,
): Promise<Map<number, Unmet>> {
  const unmet = new Map<number, Unmet>()
  for (const { companyId, outcome } of await findTriedFiles(db, impactId)) {
    const cause = outcome.causes.find((each) => each.rule === rule)
    const { files, cells } = unmet.get(companyId) ?? { files: 0, cells: 0 }
    if (cause !== undefined) unmet.set(companyId, { files: files + 1, cells: cells + cause.cells })
  }
  return unmet
}

type AnnouncedRule = Unmet & {
  /** Name of the reader. */
  name: string
  dictionaryName: string
  /** Its sentence. */
  rule: string
  from: Date
  address: string
}

/** To the clerks of a company whose files do not meet a rule, before it refuses them. Without cell values. */
export function ruleAnnouncedMail(announced: AnnouncedRule): MailMessage {
  const { name, dictionaryName, rule, from, files, cells, address } = announced
  const day = formatLongDay(from)
  return composeMail({
    subject: `From ${day} on: a rule for files of ${dictionaryName}`,
    name,
    opening: [
      `${counted(cells, 'cell')} in ${counted(files, 'file')} that your company uploaded lately ` +
        `${cells === 1 ? 'does' : 'do'} not meet this rule. From ${day} on, such a file is refused.`,
      'Until then it is accepted, and its report names these cells as warnings.',
    ],
    facts: [
      ['Data dictionary', dictionaryName],
      ['Rule', rule],
      ['In force from', day],
    ],
    action: { label: 'Open your uploads', address },
  })
}
