import { hash } from 'node:crypto'
import type { Receipt } from '@veridict/contract/api/receipts'
import { ErrorType } from '@veridict/contract/model/verdict'
import { isFinal, isSettled } from '@veridict/contract/model/submission-status'
import type { MailRow, SubmissionRow } from '#platform/database/tables.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { emailOf } from '#simulation/fixture.ts'
import type { Clients, Upload } from '#simulation/clients.ts'
import { ID_PATH } from '#simulation/memory-storage.ts'
import { reportsOf, verdictOf } from '#simulation/files.ts'
import type { CommitObserver } from '#simulation/commit-observer.ts'
import type { Row } from '#simulation/rows.ts'
import type { Simulation } from '#simulation/simulation.ts'

/** The tables whose rows only the invariants need, at the end. */
const checkedTables = [
  'rowReports',
  'reportFaults',
  'submissionCauses',
  'submissionMoves',
  'webhookDeliveries',
  'auditEntries',
  'marks',
] as const
type Tables = Record<(typeof checkedTables)[number], readonly Row[]>
type Observed = { simulation: Simulation; clients: Clients; observer: CommitObserver }
type EndedSimulation = Observed & { tables: Tables }

/** The committed rows of the table submissions. */
export const submissionsOf = ({ database }: Simulation): readonly SubmissionRow[] => database.rows.submissions
export const mailsOf = ({ database }: Simulation): readonly MailRow[] => database.rows.mails

/** Whether every submission has a status that no job changes: I3. */
export const isAllSettled = (simulation: Simulation): boolean =>
  submissionsOf(simulation).every(({ status }) => isSettled(status))
export const areMailsDone = (simulation: Simulation): boolean =>
  mailsOf(simulation).every(({ sentAt, parkedAt }) => sentAt !== null || parkedAt !== null)

/** Reports each violation of an invariant. Called after the faults and after the sweep of the storage. */
export async function checkInvariants(observed: Observed): Promise<void> {
  const { simulation, clients } = observed
  const tables = {} as Tables
  for (const table of checkedTables) tables[table] = await simulation.database.rowsOf(table)
  const ended = { ...observed, tables }
  const byName = Map.groupBy(submissionsOf(simulation), ({ fileName }) => fileName)
  for (const upload of clients.uploads) {
    const rows = byName.get(upload.fileName) ?? []
    const [row] = rows
    if (rows.length > 1) simulation.violate(`I1: ${upload.fileName} was stored ${rows.length} times`)
    if (upload.acceptedId !== null && row?.id !== upload.acceptedId)
      simulation.violate(`I1: ${upload.fileName} was accepted as ${upload.acceptedId} and is not there`)
    if (row === undefined) continue
    if (row.sha256 !== upload.sha256)
      simulation.violate(`I1: ${upload.fileName} has the hash of another file`)
    if (isSettled(row.status) && row.leaseId !== null)
      simulation.violate(`I6: submission ${row.id} is ${row.status} and has a lease`)
    checkFile(simulation, row)
    checkReceipt(simulation, row)
    checkVerdict(ended, upload, row)
    checkHistory(ended, row)
    checkStatusEvents(ended, row)
    checkAudit(ended, row)
  }
  checkOrphanedFiles(simulation)
  checkMails(ended)
}

const hashAt = ({ disk }: Simulation, path: string): string | null => {
  const found = disk.files.get(path)
  return found === undefined ? null : hash('sha256', found.bytes)
}

/** I1, I4: the file is where the status says, once and complete. */
function checkFile(
  simulation: Simulation,
  { id, status, sha256, storageKey, targetPath, recordsCount, companyId, sourceDeletedAt }: SubmissionRow,
) {
  const source = hashAt(simulation, sourcePath(storageKey))
  const isExpired = status === 2 && sourceDeletedAt !== null
  if (status !== 4 && status !== 6 && !isExpired && source !== sha256)
    simulation.violate(`I1: submission ${id} (${status}) has no source`)
  if (status !== 4) return
  const targets = [...simulation.disk.files.keys()].filter((path) =>
    new RegExp(`^company-\\d/\\d{4}/\\d{2}/${id}_.*csv$`).test(path),
  )
  if (targets.length !== 1 || targets[0] !== targetPath)
    return simulation.violate(
      `I4: submission ${id} has the targets ${targets.join(', ')} and not ${targetPath}`,
    )
  if (!targetPath.startsWith(`company-${companyId}/`))
    simulation.violate(`I4: submission ${id} is at ${targetPath}`)
  if (hashAt(simulation, targetPath) !== sha256)
    simulation.violate(`I4: the target of submission ${id} has other bytes`)
  const sideFile = simulation.disk.files.get(`${targetPath}.json`)?.bytes.toString()
  const description =
    sideFile === undefined
      ? null
      : (JSON.parse(sideFile) as { submissionId: number; sha256: string; rows: number })
  if (description?.submissionId !== id || description.sha256 !== sha256 || description.rows !== recordsCount)
    simulation.violate(`I4: the side file of submission ${id} is ${sideFile}`)
}

/** I4: a receipt that was made when the file was accepted is about this file and who uploaded it. */
function checkReceipt(simulation: Simulation, row: SubmissionRow): void {
  if (row.receipt === null) return
  const { sha256, storedAs, uploadedBy } = JSON.parse(row.receipt) as Receipt
  const uploader = row.userId === null ? `token Token ${row.tokenId}` : emailOf(row.userId)
  if (row.status !== 4 || sha256 !== row.sha256 || storedAs !== row.targetPath || uploadedBy !== uploader)
    simulation.violate(`I4: submission ${row.id} has the receipt ${row.receipt}`)
}

/** I2: no file without its row. */
function checkOrphanedFiles(simulation: Simulation): void {
  const submissions = submissionsOf(simulation)
  const sources = new Map(submissions.map((row) => [sourcePath(row.storageKey), row]))
  const targets = new Map(
    submissions.flatMap((row) => (row.targetPath === null ? [] : [[row.targetPath, row] as const])),
  )
  // A run that was frozen may write its target after another run failed; Retry then uses that file.
  const failed = new Map(submissions.filter(({ status }) => status === 5).map((row) => [row.id, row]))
  const idOf = (path: string) => Number.parseInt(path.split('/').at(-1) ?? '', 10)
  for (const path of simulation.disk.files.keys()) {
    if (path === ID_PATH) continue
    if (path.startsWith('.')) {
      const row = sources.get(path)
      if (row === undefined || row.status === 4 || row.status === 6)
        simulation.violate(`I2: ${path} is orphaned`)
    } else {
      const row = targets.get(path.replace(/\.json$/, '')) ?? failed.get(idOf(path))
      if (row?.status !== 4 && row?.status !== 5)
        simulation.violate(`I2: ${path} belongs to no ingested submission`)
    }
  }
  if (simulation.disk.staged.size > 0)
    simulation.violate(`I2: ${simulation.disk.staged.size} staged files were not swept`)
}

const rowsOf = ({ tables }: EndedSimulation, table: keyof Tables, id: number): Row[] =>
  tables[table].filter(({ submissionId }) => submissionId === id)

/**
 * I5: the verdict and the errors are those of a run without faults, or the faults explain another verdict.
 */
function checkVerdict(ended: EndedSimulation, { content, fileName }: Upload, row: SubmissionRow): void {
  const { simulation } = ended
  const { id, status, errorType, recordsCount, errorRowCount, cellErrorCount, storageKey } = row
  if (!isSettled(status)) return
  const expected = verdictOf(content)
  const failures = (simulation.failures.get(sourcePath(storageKey)) ?? 0) + (content.kind === 'crash' ? 3 : 0)
  const reports = rowsOf(ended, 'rowReports', id)
  if (status === 2 && (errorType === ErrorType.ProcessingFailed || errorType === ErrorType.BeyondLimit)) {
    if (failures < (errorType === ErrorType.BeyondLimit ? 1 : 3))
      simulation.violate(`I5: ${fileName} was given up after ${failures} failures`)
    if (reports.length > 0) simulation.violate(`I5: ${fileName} was given up, and has reports`)
    return
  }
  if (content.kind === 'crash') return simulation.violate(`I5: ${fileName}, which crashes, is ${status}`)
  if ((expected.kind === 'passed') !== (status !== 2))
    simulation.violate(`I5: ${fileName} (${content.kind}) is ${status}`)
  if (expected.kind !== 'fileProblem' && recordsCount !== expected.recordsCount)
    simulation.violate(`I5: ${fileName} has ${recordsCount} records`)
  const counts =
    expected.kind === 'rowErrors' ? [expected.errorRowCount, expected.cellErrorCount] : [null, null]
  if (errorRowCount !== counts[0] || cellErrorCount !== counts[1])
    simulation.violate(`I5: ${fileName} has ${errorRowCount} rows with ${cellErrorCount} errors`)
  const parts = reportsOf(content)
  const actualReports = JSON.stringify([
    reports.map(({ rowNumber, errors }) => [rowNumber, errors]),
    rowsOf(ended, 'reportFaults', id).map(({ number, error }) => [number, error]),
    rowsOf(ended, 'submissionCauses', id).map(({ causeId }) => causeId),
  ])
  const expectedReports = JSON.stringify([
    parts.flatMap(({ rows }) => rows.map(({ rowNumber, errors }) => [rowNumber, JSON.parse(errors)])),
    parts.map((_part, number) => [number, `fault ${number}`]),
    parts.flatMap(({ causes }) => causes.map(({ causeId }) => causeId)),
  ])
  if (actualReports !== expectedReports)
    simulation.violate(`I5: ${fileName} has the reports ${actualReports} and not ${expectedReports}`)
}

/** I6: the history has every move, in order. */
function checkHistory(ended: EndedSimulation, { id, status }: SubmissionRow): void {
  const { simulation, observer } = ended
  const history = rowsOf(ended, 'submissionMoves', id).sort((a, b) => (a.id as number) - (b.id as number))
  let last: unknown = null
  for (const { fromStatus, toStatus } of history) {
    if (fromStatus !== last)
      simulation.violate(`I6: the history of submission ${id} has a gap after ${String(last)}`)
    last = toStatus
  }
  if (last !== status)
    simulation.violate(`I6: the history of submission ${id} ends with ${String(last)}, not ${status}`)
  const moves = observer.moves.filter((move) => move.id === id).length
  const recorded = history.filter(
    ({ fromStatus, toStatus }) => fromStatus !== null && fromStatus !== toStatus,
  ).length
  if (moves !== recorded)
    simulation.violate(`I6: submission ${id} moved ${moves} times; its history has ${recorded}`)
}

/**
 * I8, I7: each change to a settled status has one status event, and to a final one also one webhook message.
 */
function checkStatusEvents(ended: EndedSimulation, { id, companyId }: SubmissionRow): void {
  const { simulation, observer } = ended
  const moves = observer.moves.filter((move) => move.id === id)
  for (const status of [2, 3, 4, 5, 6] as const) {
    const reached = moves.filter(({ to }) => to === status).length
    const events = observer.events.filter(
      ({ FileId, FilesStatus }) => FileId === id && FilesStatus === status,
    ).length
    if (events !== reached)
      simulation.violate(`I8: submission ${id} was ${status} ${reached} times, with ${events} events`)
  }
  const final = moves.filter(({ to }) => isFinal(to)).length
  const messages = rowsOf(ended, 'webhookDeliveries', id).length
  if (messages !== (companyId === 1 ? final : 0))
    simulation.violate(`I7: submission ${id} has ${messages} webhook messages for ${final} final statuses`)
}

/** I6: each act on the submission is in the audit trail once. */
function checkAudit(ended: EndedSimulation, { id }: SubmissionRow): void {
  const entries = ended.tables.auditEntries.filter(({ detail }) => {
    const { after } = detail as { after?: { submission?: number } }
    return after?.submission === id
  })
  const history = rowsOf(ended, 'submissionMoves', id)
  const movesFrom = (from: number) =>
    history.filter(({ fromStatus, toStatus }) => fromStatus === from && toStatus !== 1)
  const expectedCounts = {
    'file.uploaded': 1,
    'file.verdict': movesFrom(1).length,
    'file.retried': movesFrom(5).filter(({ toStatus }) => toStatus === 3).length,
    'file.purged': movesFrom(5).filter(({ toStatus }) => toStatus === 6).length,
  }
  for (const [action, count] of Object.entries(expectedCounts)) {
    const found = entries.filter((entry) => entry.action === action).length
    if (found !== count)
      ended.simulation.violate(`I6: submission ${id} has ${found} entries ${action} instead of ${count}`)
  }
}

/** The statuses of which an e-mail informs the clerk. */
const MAILED_STATUSES = [2, 4, 5]

/** I7: one e-mail for each result, delivered in order and once; again only if its first reply was lost. */
function checkMails(ended: EndedSimulation): void {
  const { simulation, observer, tables } = ended
  const texts = [...observer.mailTexts].map(([, text]) => text)
  for (const { id, userId, fileName } of submissionsOf(simulation)) {
    const results = observer.moves.filter(
      (move) => move.id === id && MAILED_STATUSES.includes(move.to),
    ).length
    const found = texts.filter((text) => text.includes(fileName)).length
    const warnings = tables.marks.filter(({ name }) => name === `expiryWarning:${id}`).length
    const expected = userId === null ? 0 : results + warnings
    if (found !== expected) simulation.violate(`I7: ${fileName} has ${found} e-mails for ${expected} results`)
  }
  const mails = mailsOf(simulation)
  const { delivered } = simulation.mails
  for (const { messageId, sentAt, parkedAt } of mails) {
    const times = delivered.filter((mail) => mail.messageId === messageId).length
    if (sentAt === null && parkedAt === null) simulation.violate(`I7: the e-mail ${messageId} was not sent`)
    if (sentAt !== null && times === 0) simulation.violate(`I7: the e-mail ${messageId} was lost`)
    // A clock jump can end the claim of a process on an e-mail that it is sending.
    if (times > simulation.mails.maxDeliveries(messageId) + simulation.faultPlan.clockJumps.length)
      simulation.violate(`I7: the e-mail ${messageId} came ${times} times`)
  }
  checkOrder(ended)
}

/** I7: an e-mail is delivered before another one of its recipient that was begun after its commit. */
function checkOrder({ simulation, observer }: EndedSimulation): void {
  const ids = new Map(mailsOf(simulation).map(({ messageId, id }) => [messageId, id]))
  const commits = new Map([...observer.mailTexts.keys()].map((messageId, place) => [messageId, place]))
  const { delivered } = simulation.mails
  const firsts = delivered.filter(
    ({ messageId }, index) => delivered.findIndex((mail) => mail.messageId === messageId) === index,
  )
  for (const [recipient, received] of Map.groupBy(firsts, (mail) => mail.recipient))
    for (const [index, { messageId }] of received.entries()) {
      const isEarlier = (places: Map<string, number>) => (other: { messageId: string }) =>
        (places.get(other.messageId) ?? 0) < (places.get(messageId) ?? 0)
      const late = received
        .slice(index + 1)
        .filter(isEarlier(ids))
        .find(isEarlier(commits))
      if (late !== undefined) simulation.violate(`I7: ${recipient} got ${late.messageId} after ${messageId}`)
    }
}
