import { listMails, readCounts, sendMailAgain } from '@veridict/contract/api/admin'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, queryOf } from '#lib/http/query-of.ts'
import { useChange } from '#lib/http/use-change.ts'

/** The numbers of dictionaries and companies. */
export const countsQuery = queryOf(readCounts)

/** A page of the e-mails that the mail server refused and that were given up. */
export const undeliveredMailsQuery = (searchText: string, page: number) =>
  pageQueryOf(listMails, {
    query: { Parked: 'true', SearchText: searchText, PageNumber: page, PageSize: pageSizes.default },
  })

export const useSendMailAgain = () => useChange((id: number) => call(sendMailAgain, { params: { id } }))
