import * as endpoints from '@veridict/contract/api/impacts'
import { ruleBookLimits } from '@veridict/contract/limits'
import { impactMessages } from '@veridict/contract/messages/impacts'
import { cut } from '@veridict/contract/messages/row-rules'
import { isDay } from '@veridict/contract/model/check-rule-book'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { counted } from '@veridict/contract/notation/count'
import { ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { findCompaniesOf } from '#dictionaries/company-dictionaries.ts'
import { readDictionary } from '#dictionaries/dictionaries.ts'
import { checkTried, saveRuleBook } from '#dictionaries/rule-books.ts'
import { conflict, found, invalid, notFound } from '#errors.ts'
import {
  countUntried,
  findImpact,
  findImpactEnd,
  findTriedFiles,
  insertImpact,
  markAnnounced,
} from '#impacts/impacts.ts'
import { composeMail, formatLongDay, type MailMessage } from '#mail/mail-message.ts'
import { queueMail } from '#mail/queue-mail.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { ruleBookEtag } from '#platform/etags.ts'
import { mountCalls, WithMessage } from '#platform/http/mount.ts'
import { findClerksOf } from '#users/users.ts'

export const mountImpacts = mountCalls(endpoints, {
  /** A worker tries it on the last uploads. Refused as saving would be; 429 while too many wait. */
  async tryImpact({ params: { id: dictionaryId }, body, deps }) {
    const draft = await checkTried(dictionaryId, body, deps)
    const given = Object.entries(body).filter(([, part]) => part !== undefined)
    return inTransaction(deps.db, async (trx) => {
      const { name, versionId: dictionaryVersionId } = await readDictionary(trx, dictionaryId)
      const id = await insertImpact(trx, { dictionaryId, dictionaryVersionId, draft })
      const detail = onlyAfter({ changed: given.map(([part]) => part) })
      await recordAudit({ action: 'impact.tried', subject: name, detail }, trx, deps)
      await deps.jobs.wake('tryImpacts', trx)
      return { id }
    })
  },

  /** What was found until now. */
  async readImpact({ params: { id, impactId }, deps: { db } }) {
    await readDictionary(db, id)
    const { doneAt } = await found(findImpactEnd(db, id, impactId), 'Impact')
    const tried = await findTriedFiles(db, impactId)
    const files = tried.map(({ createdAt, outcome, companyId, companyName, ...file }) => ({
      companyId,
      companyName,
      file: { ...file, uploadedAt: createdAt.toISOString(), ...outcome },
    }))
    const isRefused = ({ file }: (typeof files)[number]) =>
      file.statusBefore !== SubmissionStatus.ValidationFailed && !file.acceptedAfter
    return {
      state: doneAt === null ? 'running' : 'done',
      filesTried: files.length,
      filesNotTried: await countUntried(db, impactId),
      filesRefused: files.filter(isRefused).length,
      companies: [...Map.groupBy(files, ({ companyId }) => companyId).values()].map((ofCompany) => ({
        name: ofCompany[0]!.companyName,
        files: ofCompany.map(({ file }) => file),
      })),
    }
  },

  /** Refused as saving rules is; 409 while files are validated, or if the rule was announced already. */
  async announceRule({ params: { id, impactId }, body: { rule: name, from, version }, deps }) {
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
        await queueMail(clerk.email, mail, trx, deps)
      }
    })
    const announced = { mails: clerks.length, version: ruleBookEtag(saved) }
    return new WithMessage(announced, impactMessages.announced(clerks.length))
  },
})

type Unmet = { files: number; cells: number }

/** By company: its files that do not meet the rule, and their cells. */
async function countUnmet(impactId: number, rule: string, { db }: Pick<Deps, 'db'>) {
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
