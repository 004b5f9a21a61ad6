import { PortalError } from '#exit-code.ts'
import { replyLimits } from '@veridict/contract/limits'

/** The text of a reply, decompressed already. Throws PortalError if it is too long; no more is read then. */
export async function readReply(parts: AsyncIterable<Uint8Array> | null): Promise<string> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts ?? []) {
    bytes += part.length
    if (bytes > replyLimits.maxBytes)
      throw new PortalError(`its reply has more than ${replyLimits.maxBytes / 2 ** 20} MB`)
    read.push(part)
  }
  return Buffer.concat(read).toString()
}
