import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { describe, expect, it } from 'vitest'
import { companyTokenEndsMail } from '#companies/warn-of-ending-tokens.ts'
import { ruleAnnouncedMail } from '#impacts/mount-impacts.ts'
import { administratorsChangedMail } from '#users/tell-administrators.ts'
import { oneLine } from '#mail/mail-message.ts'
import { passwordMail, signOnMail } from '#users/send-password-link.ts'
import { storageErrorWarningMail } from '#submissions/expire-storage-errors.ts'
import { resultMail, type SettledSubmission } from '#submissions/queue-result-mail.ts'

const { IngestionSuccess, IngestionFailed, ValidationFailed } = SubmissionStatus
const portal = 'https://portal.example.test/a&b'
const address = `${portal}/home`
const accepted: SettledSubmission = {
  id: 7,
  status: IngestionSuccess,
  fileName: 'claims_may.xlsx',
  dictionaryName: 'Medical claims',
  createdAt: new Date('2026-05-01T14:03:00Z'),
  recordsCount: 1204,
  errorRowCount: 0,
  warningRowCount: 0,
  errorType: null,
  errorGroups: null,
}
const rejected = { status: ValidationFailed, errorType: ErrorType.RowErrors, errorRowCount: 214 }
const processed = (settled: Partial<SettledSubmission> = {}) =>
  resultMail('Ada', { ...accepted, ...settled }, portal)
const group = (count: number, label: string) => ({
  columnPosition: 'C',
  label,
  error: 'This is not a number.',
  count,
})

describe('The e-mail about a submission', () => {
  it.for([
    [{}, 'Accepted: claims_may.xlsx (1,204 records)'],
    [{ recordsCount: 1 }, 'Accepted: claims_may.xlsx (1 record)'],
    [rejected, 'Action needed: 214 rows with errors in claims_may.xlsx'],
    [
      { ...rejected, errorType: ErrorType.Columns },
      'Action needed: the columns of claims_may.xlsx do not match',
    ],
    [{ ...rejected, errorType: null }, 'Action needed: claims_may.xlsx could not be processed'],
    [{ status: IngestionFailed }, 'Storage error: claims_may.xlsx is valid, but could not be saved'],
  ] as const)('has the outcome in its subject: %o', ([settled, subject]) => {
    expect(processed(settled).subject).toBe(subject)
  })

  it('names dictionary, time, rows, the three largest groups and the link, in text and HTML alike', () => {
    const groups = [group(90, 'Amount'), group(80, 'Date'), group(70, 'Code'), group(60, 'Fourth')]
    const mail = processed({ ...rejected, errorGroups: groups })
    for (const part of [
      'Medical claims',
      '1 May 2026',
      '14:03 UTC',
      '1,204',
      '214',
      'Amount',
      'Date',
      'Code',
      'View errors',
    ]) {
      expect(mail.text).toContain(part)
      expect(mail.html).toContain(part)
    }
    expect(mail.text).not.toContain('Fourth')
    expect(mail.text).toContain(`${portal}/home/fileError/7`)
    expect(mail.html).toContain('https://portal.example.test/a&amp;b/home/fileError/7')
  })

  it('says in one sentence that an accepted file has warnings', () => {
    const of = (warningRowCount: number) => processed({ warningRowCount })
    expect(of(3).text).toContain('It has warnings in 3 rows, which change nothing about that;')
    expect(of(3).subject).toBe(of(0).subject)
    expect(of(0).text).not.toContain('warning')
  })

  it('ends with what happens next, or what else there is', () => {
    const failed = processed({ status: IngestionFailed })
    const sentence = 'If the error is not resolved, the file is permanently deleted on 07/30/2026.'
    expect(failed.text).toContain(`\n\n${sentence}\n\n--\n`)
    expect(failed.html).toContain(`>${sentence}</p>`)
    expect(processed(rejected).text).toMatch(/every error marked in it\.\n\n--\n/)
    expect(processed().text).toMatch(/\/home\n\n--\n/)
  })

  it('shows a hostile file name as text in one line', () => {
    const mail = processed({ fileName: '<img src=x onerror=alert(1)>\r\nBcc: v@x.test\u202e.csv' })
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.html).not.toContain('<img')
    expect(mail.text).not.toMatch(/^Bcc/m)
  })
})

describe('Every e-mail', () => {
  const purgeAt = new Date('2026-08-01T00:00:00Z')
  const mails = {
    invitation: passwordMail('invitation', 'Ada', address),
    reset: passwordMail('reset', 'Ada', address),
    signOn: signOnMail('Ada', address),
    warning: storageErrorWarningMail('Ada', accepted, portal),
    processed: processed(),
    administratorsChanged: administratorsChangedMail({
      name: 'Ada',
      before: null,
      after: { name: 'Eve', email: 'eve@example.test', updatedAt: purgeAt, deletedAt: null },
      by: 'bob@example.test',
      from: '192.0.2.7',
      address,
    }),
    ruleAnnounced: ruleAnnouncedMail({
      name: 'Ada',
      dictionaryName: 'D',
      rule: '"Amount" is filled.',
      from: purgeAt,
      files: 1,
      cells: 1,
      address,
    }),
    tokenEnds: companyTokenEndsMail(
      'Ada',
      {
        companyId: 3,
        name: 'Nightly export',
        companyName: 'Northwind',
        scope: 'upload',
        creatorEmail: null,
        lastUsedAt: null,
        expiresAt: purgeAt,
      },
      portal,
    ),
  }

  it.for(Object.entries(mails))('%s greets, links and loads nothing', ([, mail]) => {
    expect(mail.text).toContain('Hello Ada,')
    expect(mail.text).toContain(address)
    expect(mail.html).toMatch(/^<!doctype html>/)
    expect(mail.html).not.toMatch(/<img|<script|<link|src=|url\(/)
  })

  it('names the day of a purge as the portal writes it', () => {
    expect(mails.warning.subject).toBe('Storage error: claims_may.xlsx will be deleted on 07/30/2026')
  })

  it('replaces line breaks and control characters in one-line texts', () => {
    expect(oneLine('a\r\nb\u0000c\u2028d')).toBe('a b c d')
  })
})
