import { ErrorType } from '@veridict/contract/model/error-type'
import { isFinal, isSettled } from '@veridict/contract/model/submission-status'
import type { MailRow, SubmissionRow } from '#db/tables.ts'
import { newHash } from '#drivers/storage/chunks.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import type { Clients, Upload } from '#simulation/clients.ts'
import type { Row } from '#simulation/database/rows.ts'
import type { TableName } from '#simulation/database/tables.ts'
import { reportsOf, verdictOf } from '#simulation/files.ts'
import type { Ledger } from '#simulation/ledger.ts'
import type { World } from '#simulation/world.ts'

type Ended = { world: World; clients: Clients; ledger: Ledger }

/** The submissions as they are committed. */
export const submissionsOf = ({ database }: World): SubmissionRow[] =>
  database.model.tables.submissions.committedRows() as unknown as SubmissionRow[]
export const mailsOf = ({ database }: World): MailRow[] =>
  database.model.tables.mails.committedRows() as unknown as MailRow[]

/** Whether every submission has a status that no job changes: I3. */
export const isAllSettled = (world: World): boolean =>
  submissionsOf(world).every(({ status }) => isSettled(status))
export const areMailsDone = (world: World): boolean =>
  mailsOf(world).every(({ sentAt, parkedAt }) => sentAt !== null || parkedAt !== null)

/** Reports what is not as it must be after the faults, when storage was swept. */
export function checkInvariants(ended: Ended): void {
  const { world, clients } = ended
  const byName = Map.groupBy(submissionsOf(world), ({ fileName }) => fileName)
  for (const upload of clients.uploads) {
    const rows = byName.get(upload.fileName) ?? []
    const [row] = rows
    if (rows.length > 1) world.violate(`I1: ${upload.fileName} was stored ${rows.length} times`)
    if (upload.acknowledged !== null && row?.id !== upload.acknowledged)
      world.violate(`I1: ${upload.fileName} was acknowledged as ${upload.acknowledged} and is not there`)
    if (row === undefined) continue
    if (row.sha256 !== upload.sha256) world.violate(`I1: ${upload.fileName} has the hash of another file`)
    checkFile(world, row)
    checkVerdict(world, upload, row)
    checkHistory(ended, row)
    checkNews(ended, row)
    checkAudit(world, row)
  }
  checkFiles(world)
  checkMails(ended)
}

const hashAt = ({ disk }: World, path: string): string | null => {
  const found = disk.files.get(path)
  return found === undefined ? null : newHash().update(found.bytes).digest('hex')
}

/** I1, I4: the bytes are where the status says, once, complete. */
function checkFile(
  world: World,
  { id, status, sha256, storageKey, targetPath, recordsCount, companyId, sourceDeletedAt }: SubmissionRow,
) {
  const source = hashAt(world, sourcePath(storageKey))
  const isExpired = status === 2 && sourceDeletedAt !== null
  if (status !== 4 && status !== 6 && !isExpired && source !== sha256)
    world.violate(`I1: submission ${id} (${status}) has no source`)
  if (status !== 4) return
  const targets = [...world.disk.files.keys()].filter((path) =>
    new RegExp(`^company-\\d/\\d{4}/\\d{2}/${id}_.*csv$`).test(path),
  )
  if (targets.length !== 1 || targets[0] !== targetPath)
    return world.violate(`I4: submission ${id} has the targets ${targets.join(', ')} and not ${targetPath}`)
  if (!targetPath.startsWith(`company-${companyId}/`))
    world.violate(`I4: submission ${id} is at ${targetPath}`)
  if (hashAt(world, targetPath) !== sha256)
    world.violate(`I4: the target of submission ${id} has other bytes`)
  const side = world.disk.files.get(`${targetPath}.json`)?.bytes.toString()
  const found =
    side === undefined ? null : (JSON.parse(side) as { submissionId: number; sha256: string; rows: number })
  if (found?.submissionId !== id || found.sha256 !== sha256 || found.rows !== recordsCount)
    world.violate(`I4: the side file of submission ${id} is ${side}`)
}

/** I2: no file without its row. */
function checkFiles(world: World): void {
  const submissions = submissionsOf(world)
  const sources = new Map(submissions.map((row) => [sourcePath(row.storageKey), row]))
  const targets = new Map(
    submissions.flatMap((row) => (row.targetPath === null ? [] : [[row.targetPath, row] as const])),
  )
  // A run that was frozen may write its target after another run failed; Retry takes it for its own.
  const failed = new Map(submissions.filter(({ status }) => status === 5).map((row) => [row.id, row]))
  const idOf = (path: string) => Number.parseInt(path.split('/').at(-1) ?? '', 10)
  for (const path of world.disk.files.keys()) {
    if (path.startsWith('.')) {
      const row = sources.get(path)
      if (row === undefined || row.status === 4 || row.status === 6) world.violate(`I2: ${path} is orphaned`)
    } else {
      const row = targets.get(path.replace(/\.json$/, '')) ?? failed.get(idOf(path))
      if (row?.status !== 4 && row?.status !== 5)
        world.violate(`I2: ${path} belongs to nothing that is ingested`)
    }
  }
  if (world.disk.staged.size > 0) world.violate(`I2: ${world.disk.staged.size} staged files were not swept`)
}

const rowsOf = (world: World, table: TableName, id: number): Row[] =>
  world.database.model.tables[table].committedRows().filter(({ submissionId }) => submissionId === id)

/** I5: the verdict and the errors of an undisturbed run, or a reason for another verdict. */
function checkVerdict(world: World, { content, fileName }: Upload, row: SubmissionRow): void {
  const { id, status, errorType, recordsCount, errorRowCount, cellErrorCount, storageKey } = row
  if (!isSettled(status)) return
  const expected = verdictOf(content)
  const failures = (world.failures.get(sourcePath(storageKey)) ?? 0) + (content.kind === 'crash' ? 3 : 0)
  const reports = rowsOf(world, 'rowReports', id)
  if (status === 2 && (errorType === ErrorType.ProcessingFailed || errorType === ErrorType.BeyondLimit)) {
    if (failures < (errorType === ErrorType.BeyondLimit ? 1 : 3))
      world.violate(`I5: ${fileName} was given up after ${failures} failures`)
    if (reports.length > 0) world.violate(`I5: ${fileName} was given up, and has reports`)
    return
  }
  if (content.kind === 'crash') return world.violate(`I5: ${fileName}, which crashes, is ${status}`)
  if ((expected.kind === 'passed') !== (status !== 2))
    world.violate(`I5: ${fileName} (${content.kind}) is ${status}`)
  if (expected.kind !== 'fileProblem' && recordsCount !== expected.recordsCount)
    world.violate(`I5: ${fileName} has ${recordsCount} records`)
  const counts =
    expected.kind === 'rowErrors' ? [expected.errorRowCount, expected.cellErrorCount] : [null, null]
  if (errorRowCount !== counts[0] || cellErrorCount !== counts[1])
    world.violate(`I5: ${fileName} has ${errorRowCount} rows with ${cellErrorCount} errors`)
  const parts = reportsOf(content)
  const found = JSON.stringify([
    reports.map(({ rowNumber, errors }) => [rowNumber, errors]),
    rowsOf(world, 'reportFaults', id).map(({ number, error }) => [number, error]),
    rowsOf(world, 'submissionCauses', id).map(({ causeId }) => causeId),
  ])
  const wanted = JSON.stringify([
    parts.flatMap(({ rows }) => rows.map(({ rowNumber, errors }) => [rowNumber, JSON.parse(errors)])),
    parts.map((_part, number) => [number, `fault ${number}`]),
    parts.flatMap(({ causes }) => causes.map(({ causeId }) => causeId)),
  ])
  if (found !== wanted) world.violate(`I5: ${fileName} has the reports ${found} and not ${wanted}`)
}

/** I6: the history tells every move, in order. */
function checkHistory({ world, ledger }: Ended, { id, status }: SubmissionRow): void {
  const history = rowsOf(world, 'submissionMoves', id).sort((a, b) => (a.id as number) - (b.id as number))
  let last: unknown = null
  for (const { fromStatus, toStatus } of history) {
    if (fromStatus !== last)
      world.violate(`I6: the history of submission ${id} has a gap after ${String(last)}`)
    last = toStatus
  }
  if (last !== status)
    world.violate(`I6: the history of submission ${id} ends with ${String(last)}, not ${status}`)
  const moves = ledger.moves.filter((move) => move.id === id).length
  const told = history.filter(
    ({ fromStatus, toStatus }) => fromStatus !== null && fromStatus !== toStatus,
  ).length
  if (moves !== told) world.violate(`I6: submission ${id} moved ${moves} times; its history has ${told}`)
}

/** I8 as far as the server goes, and webhooks: every settled status was announced with its move, once. */
function checkNews({ world, ledger }: Ended, { id, companyId }: SubmissionRow): void {
  const moves = ledger.moves.filter((move) => move.id === id)
  for (const status of [2, 3, 4, 5, 6] as const) {
    const reached = moves.filter(({ to }) => to === status).length
    const news = ledger.news.filter(
      ({ FileId, FilesStatus }) => FileId === id && FilesStatus === status,
    ).length
    if (news !== reached)
      world.violate(`I8: submission ${id} was ${status} ${reached} times, with ${news} news`)
  }
  const final = moves.filter(({ to }) => isFinal(to)).length
  const messages = rowsOf(world, 'webhookDeliveries', id).length
  if (messages !== (companyId === 1 ? final : 0))
    world.violate(`I7: submission ${id} has ${messages} webhook messages for ${final} final statuses`)
}

/** Each act of the life is in the audit trail once. */
function checkAudit(world: World, { id }: SubmissionRow): void {
  const entries = world.database.model.tables.auditEntries.committedRows().filter(({ detail }) => {
    const { after } = detail as { after?: { submission?: number } }
    return after?.submission === id
  })
  const history = rowsOf(world, 'submissionMoves', id)
  const movesFrom = (from: number) =>
    history.filter(({ fromStatus, toStatus }) => fromStatus === from && toStatus !== 1)
  const wanted = {
    'file.uploaded': 1,
    'file.verdict': movesFrom(1).length,
    'file.retried': movesFrom(5).filter(({ toStatus }) => toStatus === 3).length,
    'file.purged': movesFrom(5).filter(({ toStatus }) => toStatus === 6).length,
  }
  for (const [action, count] of Object.entries(wanted)) {
    const found = entries.filter((entry) => entry.action === action).length
    if (found !== count)
      world.violate(`I6: submission ${id} has ${found} entries ${action} instead of ${count}`)
  }
}

const MAILED = [2, 4, 5]

/** I7: one e-mail for each result, delivered once and in order; twice only after an unknown end. */
function checkMails(ended: Ended): void {
  const { world, ledger } = ended
  const texts = [...ledger.mailTexts].map(([, text]) => text)
  for (const { id, userId, fileName } of submissionsOf(world)) {
    const results = ledger.moves.filter((move) => move.id === id && MAILED.includes(move.to)).length
    const found = texts.filter((text) => text.includes(fileName)).length
    const warnings = world.database.model.tables.marks.cells.has(`expiryWarning:${id}`) ? 1 : 0
    const wanted = userId === null ? 0 : results + warnings
    if (found !== wanted) world.violate(`I7: ${fileName} has ${found} e-mails for ${wanted} results`)
  }
  const mails = mailsOf(world)
  const { delivered } = world.mails
  for (const { messageId, sentAt, parkedAt } of mails) {
    const times = delivered.filter((mail) => mail.messageId === messageId).length
    if (sentAt === null && parkedAt === null) world.violate(`I7: the e-mail ${messageId} was not sent`)
    if (sentAt !== null && times === 0) world.violate(`I7: the e-mail ${messageId} was lost`)
    if (times > world.mails.mostOf(messageId))
      world.violate(`I7: the e-mail ${messageId} came ${times} times`)
  }
  checkOrder(ended)
}

/** An e-mail that was committed before another of its recipient was begun comes before it. */
function checkOrder({ world, ledger }: Ended): void {
  const ids = new Map(mailsOf(world).map(({ messageId, id }) => [messageId, id]))
  const commits = new Map([...ledger.mailTexts.keys()].map((messageId, place) => [messageId, place]))
  const { delivered } = world.mails
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
      if (late !== undefined) world.violate(`I7: ${recipient} got ${late.messageId} after ${messageId}`)
    }
}
