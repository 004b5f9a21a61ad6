import { basename } from 'node:path'
import { dictionariesForSelection, uploadSubmission } from '@veridict/contract/api/submissions'
import { companyTokenPrefix } from '@veridict/contract/api/company-tokens'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import { ExitCode, PortalError, UsageError, openOrRefuse } from '#exit-code.ts'
import {
  callPortal,
  openPortal,
  type Portal,
  refusalOf,
  type Reply,
  valueOf,
  retryWhileBusy,
} from '#portal/portal.ts'
import { type FileToSend, sendFile } from '#portal/send-file.ts'
import { asJson, printable, print } from '#print/print.ts'

export type UploadArguments = { file: string; dictionary: string; url: string; wait: boolean; json: boolean }

/**
 * `veridict upload`: the token is in VERIDICT_TOKEN, because all users of a machine see the arguments of its
 * processes. With `wait` it prints the result.
 */
export async function upload({ file, dictionary, url, wait, json }: UploadArguments): Promise<ExitCode> {
  const portal = await openPortal(url, tokenOf(process.env))
  warnOfPlainHttp(portal.url)
  const dictionaryId = await findDictionary(portal, dictionary)
  const name = basename(file)
  const accepted = await send(portal, { path: file, name, dictionaryId })
  if (wait) {
    const { waitForResult } = await import('#commands/upload-result.ts')
    return waitForResult(portal, accepted, json)
  }
  print(json ? asJson(accepted) : `Uploaded: ${printable(accepted.fileName)}, file ${accepted.id}.\n`)
  return ExitCode.Passed
}

function tokenOf({ VERIDICT_TOKEN: given = '' }: NodeJS.ProcessEnv): string {
  const token = given.trim()
  if (token === '') throw new UsageError('upload needs a token in the environment variable VERIDICT_TOKEN.')
  if (!token.startsWith(companyTokenPrefix) || !/^[\w-]+$/.test(token))
    throw new PortalError(`VERIDICT_TOKEN is not a token: those begin with ${companyTokenPrefix}.`)
  return token
}

function warnOfPlainHttp(url: string): void {
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (protocol === 'http:' && !isLocal)
    process.stderr.write(`Warning: ${url} is not encrypted; everybody on the way can read the token.\n`)
}

async function findDictionary(portal: Portal, name: string): Promise<number> {
  const dictionaries = await callPortal(portal, dictionariesForSelection)
  const key = name.trim().toLowerCase()
  const found = dictionaries.find((dictionary) => dictionary.name.toLowerCase() === key)
  if (found !== undefined) return found.id
  const names = dictionaries.map((dictionary) => `  ${printable(dictionary.name)}\n`)
  throw new PortalError(
    `There is no data dictionary "${printable(name)}" for this company. ` +
      (names.length === 0 ? 'There is none at all.' : `There are:\n${names.join('')}`.trimEnd()),
  )
}

const ACCEPTED = 202

async function send(portal: Portal, file: FileToSend): Promise<ReplyOf<typeof uploadSubmission>> {
  const reply = await openOrRefuse(file.path, () => retryWhileBusy(() => sendFile(portal, file)))
  if (reply.status === ACCEPTED) return valueOf(uploadSubmission, reply)
  throw new PortalError(mayHaveAccepted(reply) ? unknownOutcome(reply) : refusalOf(reply))
}

/** The reply can come from a proxy, or from a portal that failed after it had recorded the file. */
const mayHaveAccepted = ({ status, retryAfter }: Reply): boolean =>
  status >= 500 && status !== 507 && !(status === 503 && retryAfter !== null)

const unknownOutcome = (reply: Reply): string =>
  `${refusalOf(reply)} It is unknown whether it took the file: look at the history before you upload it ` +
  'again.'
