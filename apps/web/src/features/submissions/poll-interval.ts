import { isSettled, type SubmissionStatus } from '@veridict/contract/model/submission-status'

const withoutLive = 10_000
const besidesLive = 60_000

/**
 * How often to ask for the page, in milliseconds: only while a row of it is in progress; often without a live
 * connection, and now and then with one, because pushes are hints and may be lost. false = never.
 */
export function pollInterval(
  rows: readonly { status: SubmissionStatus }[] | undefined,
  isLive: boolean,
): number | false {
  if (rows === undefined || rows.every(({ status }) => isSettled(status))) return false
  return isLive ? besidesLive : withoutLive
}
