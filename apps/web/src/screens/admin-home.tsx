import { Alert, Anchor, SimpleGrid, Skeleton } from '@mantine/core'
import { IconArrowRight, IconMailX, IconShieldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { listMails, readCounts } from '@veridict/contract/api/admin'
import { mailMessages } from '@veridict/contract/messages/mails'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { pageQueryOf, queryOf } from '#lib/http/query-of.ts'
import { Page } from '#ui/layout/page.tsx'
import { Count } from '#ui/text/count.tsx'
import classes from './admin-home.module.css'

/** The home of administrators: links to what they manage, with counts. */
export function AdminHome() {
  const counts = useQuery(queryOf(readCounts))
  const mails = useQuery(pageQueryOf(listMails, { query: { Parked: 'true', PageSize: 1 } }))
  const undelivered = mails.data?.totalCount ?? 0
  const count = (value: number | undefined) => (counts.isError && value === undefined ? null : value)
  const degraded = counts.data?.degraded ?? []
  return (
    <Page title="Home" lead="What files must look like, and who sends them.">
      {degraded.length > 0 && (
        <Alert color="red" mb={20} icon={<IconShieldOff size={20} stroke={1.7} aria-hidden />}>
          {noticeMessages.degraded(degraded)}
        </Alert>
      )}
      {undelivered > 0 && (
        <Alert color="brand" mb={20} icon={<IconMailX size={20} stroke={1.7} aria-hidden />}>
          <Anchor component={Link} to={paths.mails} c="inherit">
            {mailMessages.undelivered(undelivered)}
          </Anchor>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={20}>
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
    </Page>
  )
}

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
          <Skeleton height={44} width={72} component="span" display="block" />
        ) : (
          <Count count={count} />
        )}
      </span>
      <span className={classes.text}>{text}</span>
      <IconArrowRight size={22} stroke={1.6} className={classes.arrow} aria-hidden />
    </Link>
  )
}
