import { useMutation } from '@tanstack/react-query'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { uploadLimits } from '@veridict/contract/limits'
import { correctedName } from '@veridict/contract/notation/corrected-name'
import { useEffect, useRef } from 'react'
import { callForFile } from '#lib/http/client.ts'
import { saveAs } from '#lib/http/download.ts'
import type { Correction } from '#verdict/correction.ts'
import { correctFile } from '#workers/file-workers.ts'
import type { FileToCheck } from './use-file-check.ts'

/** Values of a copy can be longer than those of the file. */
export class CopyTooLarge extends Error {}
/** The file was modified or deleted after it was chosen. */
export class FileModified extends Error {}

/**
 * Makes the corrected copy of a checked file in the browser, and saves it. It ends with the dialog. Fails
 * with `CopyTooLarge` instead of saving what cannot be uploaded, with `FileModified`, and with a CallFailure.
 */
export function useCopy({ file, dictionaryId }: FileToCheck) {
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ causes }: Correction): Promise<File> => {
      const { signal } = (abort.current = new AbortController())
      await refuseModified(file)
      const { blob } = await callForFile(readForChecking, { params: { id: dictionaryId }, signal })
      const ids = causes.map(({ id }) => id)
      const copy = await correctFile({ file, dictionary: blob, causes: ids, signal })
      if (copy.size > uploadLimits.maxBytes) throw new CopyTooLarge()
      const name = correctedName(file.name)
      saveAs(copy, name)
      return new File([copy], name, { type: file.type })
    },
    onError: (error) => {
      if (abort.current?.signal.aborted !== true) console.error(error)
    },
  })
}

/** Throws if the browser no longer reads the file, which a failed worker does not say. */
async function refuseModified(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((error: unknown) => {
      throw new FileModified('The file cannot be read any more.', { cause: error })
    })
}
