import { useMutation } from '@tanstack/react-query'
import { downloadTemplate } from '@veridict/contract/api/dictionaries'
import { announceConflict } from './announce.ts'
import { download } from './download.ts'

/** Downloads the blank workbook of a dictionary by the dictionary's id. */
export const useTemplateDownload = () =>
  useMutation({
    mutationFn: (id: number) => download(downloadTemplate, { params: { id } }),
    onError: announceConflict,
  })
