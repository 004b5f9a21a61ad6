import { errorScreenLimits } from '@veridict/contract/limits'
import type { Verdict } from '@veridict/contract/model/verdict'
import { bytesSource } from '@veridict/engine/byte-source'
import { correctFile, findCausesBelow } from '@veridict/engine/corrected-file'
import { portalGuards } from '@veridict/engine/limits'
import { validateTable } from '@veridict/engine/validate-table'
import { type CorrectRequest, type CorrectResult, readCheckRequest } from './worker-messages.ts'

/** Makes one copy, or finds what is wrong below the structure, with the limits of the server. */
addEventListener('message', ({ data }: MessageEvent<CorrectRequest>) => {
  correct(data)
    .then((result) => postMessage(result))
    .catch(reportError)
})

async function correct({ causes, answers, wants, ...request }: CorrectRequest): Promise<CorrectResult> {
  const { bytes, ...checked } = await readCheckRequest(request)
  const wanted = { ...checked, source: bytesSource(bytes), limits: portalGuards, causes, answers }
  if (wants === 'below') {
    const below = await findCausesBelow(wanted)
    const shown = below?.causes.slice(0, errorScreenLimits.maxCauses) ?? []
    return { kind: 'below', below: below && { ...below, causes: shown } }
  }
  const corrected = await correctFile(wanted)
  // The dictionary has changed since the check.
  if (corrected.kind !== 'copy') throw new Error(`There are other errors now: ${corrected.kind}`)
  const chunks = await Array.fromAsync(corrected.bytes())
  const copy = new Blob(chunks as BlobPart[], { type: request.file.type })
  const { removed } = corrected.outcome()
  // A rule between cells may find a corrected value wrong.
  const source = bytesSource(new Uint8Array(await copy.arrayBuffer()))
  return { kind: 'copy', copy, removed, remaining: errorsOf(await validateTable({ ...checked, source })) }
}

/** null for a file problem, in which no cells are counted. */
function errorsOf(verdict: Verdict): number | null {
  if (verdict.kind === 'fileProblem') return null
  return verdict.kind === 'passed' ? 0 : verdict.cellErrorCount
}
