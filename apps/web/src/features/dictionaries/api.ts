import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import {
  copyDictionary,
  createDictionary,
  deleteDictionary,
  exportDictionary,
  exportTableSchema,
  listDictionaries,
  previewDictionaryDeletion,
  readDictionary,
  renameDictionary,
} from '@veridict/contract/api/dictionaries'
import { listVersions, readVersion } from '@veridict/contract/api/dictionary-versions'
import { fieldFromReply, fieldToBody } from '@veridict/contract/api/wire-field'
import { pageSizes } from '@veridict/contract/limits'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { tableSchemaNotes } from '@veridict/contract/messages/table-schema'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { announce } from '#lib/http/announce.ts'
import { call, callForFile } from '#lib/http/client.ts'
import { download } from '#lib/http/download.ts'
import { errorNotice } from '#lib/http/error-notice.ts'
import { pageQueryOf, queryOf } from '#lib/http/query-of.ts'
import { type OnConflict, useChange } from '#lib/http/use-change.ts'

export const dictionariesQuery = (searchText: string, page: number) =>
  pageQueryOf(listDictionaries, {
    query: { SearchText: searchText, PageNumber: page, PageSize: pageSizes.default },
  })

export const dictionaryQuery = (id: number) =>
  queryOptions({ ...queryOf(readDictionary, { params: { id } }), meta: { showsNotFound: true } })

/** A dictionary's history, newest first, read on as the reader goes back in time. */
export const versionsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['dictionary-versions', id],
    queryFn: ({ pageParam, signal }) =>
      call(listVersions, {
        params: { id },
        query: { PageNumber: pageParam, PageSize: pageSizes.dictionaryVersions },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ totalPages }, _pages, page) => (page < totalPages ? page + 1 : undefined),
  })

/** The fields of a version, which never change. */
export const versionQuery = (id: number, revision: number) =>
  queryOptions({
    queryKey: ['dictionary-version', id, revision],
    queryFn: async ({ signal }) =>
      (await call(readVersion, { params: { id, revision }, signal })).fields.map(fieldFromReply),
    staleTime: Infinity,
  })

export const useCreateDictionary = () =>
  useChange(({ fields, ...rest }: RuleBook & { name: string; fields: Field[] }) =>
    call(createDictionary, { body: { ...rest, items: fields.map(fieldToBody) } }),
  )
/** What deleting a dictionary changes, as of now. */
export const effectsOfDeletion = async (id: number) =>
  deletionMessages.dictionary(await call(previewDictionaryDeletion, { params: { id } }))
export const useDeleteDictionary = () => useChange((id: number) => call(deleteDictionary, { params: { id } }))
/** A duplicate name is reported at its input. */
export const useCopyDictionary = (id: number, onConflict: OnConflict) =>
  useChange((name: string) => call(copyDictionary, { params: { id }, body: { name } }), onConflict)
/** A duplicate name is reported at its input. */
export const useRenameDictionary = (id: number, etag: string | undefined, onConflict: OnConflict) =>
  useChange(
    (name: string) => call(renameDictionary, { query: { id }, body: { name, version: etag } }),
    onConflict,
  )
/** A dictionary's name for its form, with the ETag that a change hands back. */
export async function rereadName(id: number) {
  const { name, version: etag } = await call(readDictionary, { params: { id } })
  return { values: { name }, etag }
}

/** A dictionary as a Table Schema: the file, and what it says other programs do differently. */
export const tableSchemaQuery = (id: number) =>
  queryOptions({
    queryKey: ['dictionary', id, 'table-schema'],
    queryFn: async ({ signal }) => {
      const file = await callForFile(exportTableSchema, { params: { id }, signal })
      const schema = JSON.parse(await file.blob.text()) as { [tableSchemaNotes]: string[] }
      return { file, notes: schema[tableSchemaNotes] }
    },
    // The fields may have changed since the dialog was open last.
    gcTime: 0,
  })

/** Downloads a dictionary as a workbook; null stands for an address without an id. */
export const useExportDictionary = () =>
  useMutation({
    meta: { quiet: true },
    mutationFn: async (id: number | null) => {
      if (id === null) return announce(errorNotice(dictionaryMessages.invalidId))
      await download(exportDictionary, { params: { id } })
    },
    onError: (error) => {
      console.error(error)
      announce(errorNotice(dictionaryMessages.exportFailed))
    },
  })
