import { useMutation } from '@tanstack/react-query'
import { downloadCorrectedFile } from '@veridict/contract/api/error-files'
import type { Cause } from '@veridict/contract/model/cause'
import { download } from '#lib/http/download.ts'

/** Fetches a copy with the suggestions of some causes applied. The dialog shows a failure itself. */
export const useCorrectedCopy = (id: number) =>
  useMutation({
    meta: { quiet: true },
    mutationFn: (causes: readonly Cause[]) =>
      download(downloadCorrectedFile, { params: { id }, query: { cause: causes.map((cause) => cause.id) } }),
    onError: (error) => console.error(error),
  })
