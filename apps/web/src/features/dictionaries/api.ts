import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { exportTableSchema, readDictionary } from '@veridict/contract/api/dictionaries'
import { listVersions, readVersion } from '@veridict/contract/api/dictionary-versions'
import { fieldFromReply } from '@veridict/contract/api/wire-field'
import { pageSizes } from '@veridict/contract/limits'
import { tableSchemaNotes } from '@veridict/contract/messages/table-schema'
import { call, callForFile } from '#lib/http/client.ts'
import { queryOf, showsNotFound } from '#lib/http/query-of.ts'

export const dictionaryQuery = (id: number) => ({
  ...queryOf(readDictionary, { params: { id } }),
  ...showsNotFound,
})

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
export const versionQuery = (id: number, revision: number) => ({
  ...queryOf(readVersion, { params: { id, revision } }, ({ fields }) => fields.map(fieldFromReply)),
  staleTime: Infinity,
})

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
