import { errorScreenLimits } from '@veridict/contract/limits'
import type { CauseRows } from '@veridict/contract/model/cause'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { Verdict } from '@veridict/contract/model/verdict'
import { bytesSource } from '@veridict/engine/byte-source'
import { validateTable } from '@veridict/engine/validate-table'
import {
  type CheckMessage,
  type CheckRequest,
  readCheckRequest,
  type SentVerdict,
} from './worker-messages.ts'

/** Validates one file, with the limits of the server. The page ends the worker. */
addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  check(data).catch(reportError)
})

const send = (message: CheckMessage): void => postMessage(message)

async function check(request: CheckRequest): Promise<void> {
  const { bytes, ...checked } = await readCheckRequest(request)
  const checksum = sha256Of(bytes)
  const verdict = await validateTable({
    ...checked,
    source: bytesSource(bytes),
    onProgress: progressSender(),
  })
  if (verdict.kind === 'rowErrors') verdict.causeRows.forEach(sendRows)
  if (verdict.kind !== 'fileProblem') verdict.warnings?.causeRows.forEach(sendRows)
  send({ kind: 'verdict', verdict: shortened(verdict) })
  send({ kind: 'checksum', sha256: await checksum })
}

/** Sends each percent once. */
function progressSender(): (bytesRead: number, size: number) => void {
  let sent = 0
  return (bytesRead, size) => {
    const percent = Math.floor((bytesRead / size) * 100)
    if (percent <= sent) return
    sent = percent
    send({ kind: 'progress', percent })
  }
}

/** The part of a verdict that a report shows: sending all errors of a row, up to 16,384, blocks the page. */
function shortened(verdict: Verdict): SentVerdict {
  if (verdict.kind === 'fileProblem') return verdict
  const { maxCauses } = errorScreenLimits
  const { warnings } = verdict
  const short = warnings && {
    warnings: { ...warnings, warningRows: [], causeRows: [], causes: warnings.causes.slice(0, maxCauses) },
  }
  if (verdict.kind === 'passed') return { ...verdict, ...short }
  const { groups: _, causeRows: __, causes, rows, ...figures } = verdict
  return {
    ...figures,
    ...short,
    rows: rows.map(shortRow),
    causesCount: causes.length,
    causes: causes.slice(0, maxCauses),
  }
}

const sendRows = ({ cause, rows }: CauseRows): void =>
  send({ kind: 'causeRows', causeRows: { cause, rows: rows.map(shortRow) } })

const shortRow = (row: RowReport): RowReport => ({
  ...row,
  columnValidationErrors: row.columnValidationErrors.slice(0, errorScreenLimits.maxErrorsPerRow),
})

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!isSecureContext) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
