import { Anchor, SimpleGrid, Skeleton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type Operation, readCounts, readOperation, type RejectedFiles } from '@veridict/contract/api/admin'
import { companyMessages as texts } from '@veridict/contract/messages/companies'
import { mailMessages } from '@veridict/contract/messages/mails'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { queryOf } from '#lib/http/query-of.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { Count } from '#ui/text/count.tsx'
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
        <Known query={operation} what="What needs you">
          {(known) => <Facts facts={needsOf(known)} />}
        </Known>
      </Panel>
      <Panel title={texts.rejectedTitle}>
        <Known query={counts} what="The rejected files">
          {({ rejected }) =>
            rejected.length === 0 ? (
              <NoticeBlock isFramed title={texts.noneRejected} text={texts.noneRejectedText} />
            ) : (
              <Facts facts={rejected.map(rejectedFact)} />
            )
          }
        </Known>
      </Panel>
    </Page>
  )
}

type KnownProps<Data> = {
  query: UseQueryResult<Data>
  what: string
  children: (data: Data) => ReactNode
}

function Known<Data>({ query, what, children }: KnownProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.isError ? <LoadFailure isFramed what={what} query={query} /> : <SkeletonRows count={2} />
}

const needsOf = ({ degraded, failedStorage, isStorageLow, mails }: Operation) => [
  {
    name: 'Protections',
    value:
      degraded.length === 0 ? texts.protectionsHold : <Trouble>{noticeMessages.degraded(degraded)}</Trouble>,
  },
  {
    name: 'Storage',
    value: isStorageLow ? <Trouble>{texts.storageLow}</Trouble> : texts.storageSuffices,
  },
  {
    name: 'Accepted files',
    value: failedStorage === 0 ? texts.allStored : <Trouble>{texts.storageErrors(failedStorage)}</Trouble>,
  },
  {
    name: 'E-mails',
    value:
      mails.parked === 0 ? (
        texts.allDelivered
      ) : (
        <ScreenLink to={paths.mails}>{mailMessages.undelivered(mails.parked)}</ScreenLink>
      ),
  },
]

const rejectedFact = ({ companyId, companyName, rejected, uploaded }: RejectedFiles) => ({
  name: <ScreenLink to={paths.companyEdit(companyId)}>{companyName}</ScreenLink>,
  value: texts.rejected(rejected, uploaded),
})

/** The screen Operation says what to do about it. */
const Trouble = ({ children }: { children: ReactNode }) => (
  <ScreenLink to={paths.operation}>
    <strong>{children}</strong>
  </ScreenLink>
)

const ScreenLink = (props: { to: string; children: ReactNode }) => (
  <Anchor component={Link} inherit {...props} />
)

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
