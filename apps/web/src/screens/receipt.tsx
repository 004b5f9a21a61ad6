import { Skeleton } from '@mantine/core'
import { IconCircleCheck, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readReceipt, type Receipt as ReceiptFacts } from '@veridict/contract/api/receipts'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import { writeCount } from '@veridict/contract/notation/count'
import { idOf } from '@veridict/contract/notation/id'
import { useParams } from 'react-router'
import { crumbs } from '#app/paths.ts'
import { FixedLine } from '#features/submissions/fixed-line.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { saveAs } from '#lib/http/download.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { Logo } from '#ui/layout/logo.tsx'
import { Page } from '#ui/layout/page.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { fileSize, formatMoment } from '#ui/text/format.ts'
import { NotFound } from './not-found.tsx'
import classes from './receipt.module.css'

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

/** Characters of a hash that are read together. */
const GROUP = 8

/** A receipt as a sheet of paper: what was accepted, and how to check it. One page when printed. */
function ReceiptSheet({ receipt }: { receipt: ReceiptFacts }) {
  return (
    <article className={classes.sheet} aria-label={texts.of(receipt.fileName)}>
      <header className={classes.head}>
        <div className={classes.portal}>
          <Logo size={24} />
          <span>{receipt.portal}</span>
        </div>
        <p className={classes.verdict}>
          <IconCircleCheck size={20} stroke={1.9} aria-hidden />
          {texts.accepted}
        </p>
        <h2 className={classes.file}>
          <BreakableName name={receipt.fileName} />
        </h2>
        <p className={classes.lead}>{texts.lead}</p>
      </header>
      <dl className={classes.facts}>
        <Fact
          name="Data dictionary"
          value={receipt.dictionary}
          detail={texts.version(receipt.dictionaryVersion)}
        />
        <Fact name="Rows" value={writeCount(receipt.recordsCount)} />
        <Fact name="Uploaded by" value={<BreakableName name={receipt.uploadedBy} />} />
        <Fact name="Size" value={fileSize(receipt.size)} />
        <Fact name="Uploaded on" value={formatMoment(new Date(receipt.uploadedAt))} />
        <Fact name="Stored as" value={<BreakableName name={receipt.storedAs} />} />
      </dl>
      <dl className={classes.proof}>
        <dt>SHA-256</dt>
        <dd>
          <Grouped text={receipt.sha256} />
        </dd>
        <dt>{texts.signature}</dt>
        <dd>
          <Grouped text={receipt.signature} />
        </dd>
        <dt>{texts.keyId}</dt>
        <dd>
          <Grouped text={receipt.keyId} />
        </dd>
      </dl>
      <footer className={classes.check}>
        <h3>{texts.checkTitle}</h3>
        <p>{texts.checkText}</p>
        <code>{texts.checkCommand(receipt.portal)}</code>
      </footer>
    </article>
  )
}

type FactProps = { name: string; value: React.ReactNode; detail?: string }

const Fact = ({ name, value, detail }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value}
      {detail !== undefined && <span className={classes.detail}>{detail}</span>}
    </dd>
  </div>
)

/** A hash in groups that an eye can compare; copied, it has no spaces. */
const Grouped = ({ text }: { text: string }) => (
  <span className={classes.hash}>
    {Array.from({ length: Math.ceil(text.length / GROUP) }, (_, index) => (
      <span key={index}>{text.slice(index * GROUP, (index + 1) * GROUP)}</span>
    ))}
  </span>
)
