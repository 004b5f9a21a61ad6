import { useMutation } from '@tanstack/react-query'
import { downloadErrorsFile, downloadHighlightedFile } from '@veridict/contract/api/error-files'
import { download } from '#lib/http/download.ts'

export type ErrorFile = 'errors' | 'highlighted'
const calls = { errors: downloadErrorsFile, highlighted: downloadHighlightedFile } as const

/**
 * Fetches an error file. A failure is logged and told by no notification (spec §8): the menu says it in
 * place.
 */
export const useErrorFile = (id: number) =>
  useMutation({
    meta: { quiet: true },
    mutationFn: (file: ErrorFile) => download(calls[file], { params: { id } }),
    onError: (error) => console.error(error),
  })
