import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listMails, readCounts, sendMailAgain } from '@veridict/contract/api/admin'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'

/** The numbers of dictionaries and companies. */
export const countsQuery = queryOptions({
  queryKey: ['counts'],
  queryFn: ({ signal }) => call(readCounts, { signal }),
})

/** A page of the e-mails that the mail server refused and that were given up. */
export const undeliveredMailsQuery = (searchText: string, page: number) =>
  queryOptions({
    queryKey: ['undelivered-mails', { searchText, page }],
    queryFn: ({ signal }) =>
      call(listMails, {
        query: { Parked: 'true', SearchText: searchText, PageNumber: page, PageSize: pageSizes.default },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const useSendMailAgain = () => useChange((id: number) => call(sendMailAgain, { params: { id } }))
