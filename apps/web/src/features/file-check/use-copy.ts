import { useMutation } from '@tanstack/react-query'
import { readForChecking } from '@veridict/contract/api/dictionaries'
import { correctedName } from '@veridict/contract/notation/corrected-name'
import { useEffect, useRef } from 'react'
import { callForFile } from '#lib/http/client.ts'
import { saveAs } from '#lib/http/download.ts'
import type { Correction } from '#verdict/correction.ts'
import { correctFile } from '#workers/correct-file.ts'
import type { FileToCheck } from './use-file-check.ts'

/** Makes the corrected copy of a checked file in the browser, and saves it. It ends with the screen. */
export function useCopy({ file, dictionaryId }: FileToCheck) {
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ causes }: Correction): Promise<File> => {
      const { signal } = (abort.current = new AbortController())
      const { blob } = await callForFile(readForChecking, { params: { id: dictionaryId }, signal })
      const ids = causes.map(({ id }) => id)
      const copy = await correctFile({ file, dictionary: blob, causes: ids, signal })
      const name = correctedName(file.name)
      saveAs(copy, name)
      return new File([copy], name, { type: file.type })
    },
    onError: (error) => console.error(error),
  })
}
