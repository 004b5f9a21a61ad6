import { useMutation } from '@tanstack/react-query'
import { downloadTemplate } from '@veridict/contract/api/dictionaries'
import type { Endpoint } from '@veridict/contract/api/endpoint'
import { announceConflict } from './announce.tsx'
import { callForFile, type CallInput } from './client.ts'

/** Throws a CallFailure. */
export async function download<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<void> {
  saveFile(await callForFile(endpoint, input))
}

export const saveFile = ({ blob, disposition }: Awaited<ReturnType<typeof callForFile>>): void =>
  saveAs(blob, fileNameOf(disposition))

export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser starts to read the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** The name of a download without a usable one. See docs/BEHAVIOUR.md#downloads. */
const defaultFileName = 'downloaded_file'

/** `filename*` (RFC 8187, UTF-8) before `filename`, quoted or not, without folders (RFC 6266 §4.3). */
export function fileNameOf(disposition: string | null): string {
  const name = extendedName(disposition ?? '') ?? plainName(disposition ?? '')
  const last = name?.split(/[\\/]/).at(-1)?.trim()
  return last === undefined || last === '' ? defaultFileName : last
}

function extendedName(disposition: string): string | null {
  const found = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)
  try {
    return found && decodeURIComponent(found[1])
  } catch {
    // A broken escape: fall back to `filename`.
    return null
  }
}

function plainName(disposition: string): string | null {
  const found = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  if (found === null) return null
  return found[1] === undefined ? found[2] : found[1].replace(/\\(.)/g, '$1')
}

/** Downloads the blank workbook of a dictionary by the dictionary's id. */
export const useTemplateDownload = () =>
  useMutation({
    mutationFn: (id: number) => download(downloadTemplate, { params: { id } }),
    onError: announceConflict,
  })
