import { Skeleton } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readReceipt, type Receipt as ReceiptFacts } from '@veridict/contract/api/receipts'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import { idOf } from '@veridict/contract/notation/id'
import { useParams } from 'react-router'
import { crumbs } from '#app/paths.ts'
import { FixedLine } from '#features/submissions/fixed-line.tsx'
import { ReceiptSheet } from '#features/submissions/receipt-sheet.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { saveAs } from '#lib/http/download.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Page } from '#ui/layout/page.tsx'
import { NotFound } from './not-found.tsx'

/** The receipt of an accepted file, to print or to keep. See docs/BEHAVIOUR.md#receipts. */
export function Receipt() {
  const id = idOf(useParams().id)
  return id === null ? <NotFound /> : <StoredReceipt id={id} />
}

function StoredReceipt({ id }: { id: number }) {
  const query = useQuery(queryOf(readReceipt, { params: { id } }))
  const { data: receipt, error } = query
  if (receipt !== undefined) {
    return (
      <Page
        narrow
        title={texts.of(receipt.fileName)}
        heading={texts.receipt}
        above={[crumbs.home]}
        crumb={texts.receipt}
        actions={actions(receipt)}
      >
        <FixedLine id={id} />
        <ReceiptSheet receipt={receipt} />
      </Page>
    )
  }
  // A file that is not accepted has no receipt: the address is of nothing.
  if (isStatus(error, 404) || isStatus(error, 409)) return <NotFound />
  return (
    <Page narrow title={texts.receipt} above={[crumbs.home]}>
      {error === null ? (
        <Skeleton height={640} radius={10} />
      ) : (
        <LoadFailure isFramed what="The receipt" query={query} />
      )}
    </Page>
  )
}

const actions = (receipt: ReceiptFacts) => (
  <>
    <ActionButton label={texts.print} variant="default" Icon={IconPrinter} onClick={() => window.print()} />
    <ActionButton label={texts.download} Icon={IconDownload} onClick={() => saveReceipt(receipt)} />
  </>
)

function saveReceipt(receipt: ReceiptFacts): void {
  const json = new Blob([`${JSON.stringify(receipt, null, 2)}\n`], { type: 'application/json' })
  saveAs(json, `${receipt.fileName.replace(/\.[^.]*$/, '')}_receipt.json`)
}
