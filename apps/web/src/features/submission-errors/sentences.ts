/** Where a further difference between the columns begins (contract/messages/file-problems). */
const FURTHER =
  /(?<=[.?]) (?=Column |\d+ more difference|Only the first visible sheet|The header was read|The expected order is)/

/**
 * A message as its statements: the first, and each difference that follows it, so that a long list can be
 * shown as one.
 */
export const sentencesOf = (message: string): string[] => message.split(FURTHER)
