import type { Endpoint } from '@veridict/contract/api/endpoint'
import { callForFile, type CallInput } from './client.ts'
import { fileNameOf } from './file-name.ts'

/** Fetches a file and makes the browser save it. Throws a CallFailure. */
export async function download<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<void> {
  saveFile(await callForFile(endpoint, input))
}

/** Makes the browser save a fetched file. */
export const saveFile = ({ blob, disposition }: Awaited<ReturnType<typeof callForFile>>): void =>
  saveAs(blob, fileNameOf(disposition))

/** Makes the browser save a file that the page made. */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser starts to read the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
