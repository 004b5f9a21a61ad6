import { IconCircleCheck } from '@tabler/icons-react'
import type { Receipt } from '@veridict/contract/api/receipts'
import { receiptMessages as texts } from '@veridict/contract/messages/receipts'
import { writeCount } from '@veridict/contract/notation/count'
import { Logo } from '#ui/layout/logo.tsx'
import { BreakableName } from '#ui/text/breakable-name.tsx'
import { fileSize, formatMoment } from '#ui/text/format.ts'
import classes from './receipt-sheet.module.css'

/** Characters of a hash that are read together. */
const GROUP = 8

/** A receipt as a sheet of paper: what was accepted, and how to check it. One page when printed. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
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
