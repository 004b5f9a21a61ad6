import { SimpleGrid, Skeleton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type Operation, readCounts, readOperation, type RejectedFiles } from '@veridict/contract/api/admin'
import { companyMessages as texts } from '@veridict/contract/messages/companies'
import { mailMessages } from '@veridict/contract/messages/mails'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { Loaded } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { Facts, Page, Panel } from '#ui/layout/page.tsx'
import { Count } from '#ui/text/count.tsx'
import { TextLink } from '#ui/forms/action-button.tsx'
import classes from './admin-home.module.css'

/** The home of administrators: links to what they manage, with counts, and what needs them. */
export function AdminHome() {
  const counts = useQuery(queryOf(readCounts))
  const operation = useQuery(queryOf(readOperation))
  const count = (value: number | undefined) => (counts.isError && value === undefined ? null : value)
  return (
    <Page title="Home" lead="What files must look like, and who sends them.">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={20} mb={44}>
        <CountCard
          title="Data dictionaries"
          text="The columns a file must have, and what each of them may hold."
          count={count(counts.data?.totalDataDictionaries)}
          to={paths.dictionaries}
        />
        <CountCard
          title="Companies"
          text="Who uploads files, against which dictionaries, and where they are stored."
          count={count(counts.data?.totalCompanies)}
          to={paths.companies}
        />
      </SimpleGrid>
      <Panel title={texts.needsTitle}>
        <Loaded isFramed query={operation} what="What needs you" skeleton={2}>
          {(known) => <Facts facts={needsOf(known)} />}
        </Loaded>
      </Panel>
      <Panel title={texts.rejectedTitle}>
        <Loaded isFramed query={counts} what="The rejected files" skeleton={2}>
          {({ rejected }) =>
            rejected.length === 0 ? (
              <NoticeBlock isFramed title={texts.noneRejected} text={texts.noneRejectedText} />
            ) : (
              <Facts facts={rejected.map(rejectedFact)} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  )
}

const needsOf = ({ degraded, failedStorage, isStorageLow, mails }: Operation) => [
  {
    name: 'Protections',
    value: degraded.length === 0 ? texts.protectionsHold : trouble(noticeMessages.degraded(degraded)),
  },
  { name: 'Storage', value: isStorageLow ? trouble(texts.storageLow) : texts.storageSuffices },
  {
    name: 'Accepted files',
    value: failedStorage === 0 ? texts.allStored : trouble(texts.storageErrors(failedStorage)),
  },
  {
    name: 'E-mails',
    value:
      mails.parked === 0 ? (
        texts.allDelivered
      ) : (
        <TextLink label={mailMessages.undelivered(mails.parked)} to={paths.mails} inherit />
      ),
  },
]

const rejectedFact = ({ companyId, companyName, rejected, uploaded }: RejectedFiles) => ({
  name: <TextLink label={companyName} to={paths.companyEdit(companyId)} inherit />,
  value: texts.rejected(rejected, uploaded),
})

/** The screen Operation says what to do about it. */
const trouble = (text: string) => <TextLink label={<strong>{text}</strong>} to={paths.operation} inherit />

type CountCardProps = {
  title: string
  text: string
  /** undefined while loading, null after a failure. */
  count: number | undefined | null
  to: string
}

/** A number that links to the list of what it counts. */
function CountCard({ title, text, count, to }: CountCardProps) {
  return (
    <Link to={to} className={classes.card}>
      <span className={classes.title}>{title}</span>
      <span className={classes.count} data-unknown={count === null || undefined}>
        {count === undefined ? (
          <Skeleton height={34} width={40} component="span" display="block" />
        ) : (
          <Count count={count} />
        )}
      </span>
      <span className={classes.text}>{text}</span>
      <IconArrowRight size={22} stroke={1.6} className={classes.arrow} aria-hidden />
    </Link>
  )
}
