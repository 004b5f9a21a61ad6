import { useMutation } from '@tanstack/react-query'
import { uploadLimits } from '@veridict/contract/limits'
import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedName } from '@veridict/contract/notation/corrected-name'
import { useEffect, useRef } from 'react'
import { CallFailure, messageOf } from '#lib/http/call-failure.ts'
import type { CorrectedCopy, Correction } from '#verdict/correction.ts'
import { correctFile } from '#workers/file-workers.ts'

export type CopySource = {
  /** The file and its dictionary. Throws a CallFailure or a `CopyRefusal`. */
  read: (signal: AbortSignal) => Promise<{ file: File; dictionary: Blob }>
  /** Makes the copy where this computer cannot. Throws a CallFailure. */
  makeElsewhere?: (correction: Correction, signal: AbortSignal) => Promise<Blob>
}

/** A button that makes a copy, and what is then done with it. */
export type CopyAction = { name: string; onCopy: (copy: CorrectedCopy) => void }

/** Why there is no copy; the message is for people. */
export class CopyRefusal extends Error {}

/** Fails with what the source throws, and a `CopyRefusal` for too large a copy. Ends with the component. */
export function useCopy({ read, makeElsewhere }: CopySource) {
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  return useMutation({
    meta: { quiet: true },
    // Offline it fails, instead of waiting.
    networkMode: 'always',
    mutationFn: async ({ correction }: CopyAction & { correction: Correction }): Promise<CorrectedCopy> => {
      const { signal } = (abort.current = new AbortController())
      const request = await read(signal)
      const causes = correction.causes.map(({ id }) => id)
      const wanted = { causes, answers: correction.answers, wants: 'copy' as const }
      const made = correctFile({ ...request, ...wanted, signal })
      const { copy, ...known } = await made.catch(async (error: unknown) => {
        if (signal.aborted || makeElsewhere === undefined) throw error
        console.error(error)
        return { copy: await makeElsewhere(correction, signal) }
      })
      if (copy.size > uploadLimits.maxBytes) throw new CopyRefusal(texts.copyTooLarge)
      const { name, type } = request.file
      const file = new File([copy], correctedName(name), { type })
      return { file, correction: { ...correction, ...known } }
    },
    onError: (error) => {
      if (abort.current?.signal.aborted !== true) console.error(error)
    },
  })
}

export function copyFailureText(error: Error): string {
  if (error instanceof CopyRefusal) return error.message
  return error instanceof CallFailure ? (messageOf(error) ?? noticeMessages.unavailable) : texts.copyFailed
}
