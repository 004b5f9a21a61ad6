import type { Endpoint } from '@veridict/contract/api/endpoint'
import { callForFile, type CallInput } from './client.ts'
import { fileNameOf } from './file-name.ts'

/** Fetches a file and hands it to the browser to save. Throws a CallFailure. */
export async function download<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<void> {
  saveFile(await callForFile(endpoint, input))
}

/** Hands a file that was fetched to the browser to save. */
export function saveFile({ blob, disposition }: Awaited<ReturnType<typeof callForFile>>): void {
  const address = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: fileNameOf(disposition),
  })
  link.click()
  // The browser reads the blob after the click returns; a minute is ample for it to start.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
