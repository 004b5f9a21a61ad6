import { Alert, Anchor, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMailX } from '@tabler/icons-react'
import { mailMessages } from '@veridict/contract/messages/mails'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { countsQuery, undeliveredMailsQuery } from '#features/admin/api.ts'
import { CountCard } from '#features/admin/count-card.tsx'
import { Page } from '#ui/layout/page.tsx'

/** The home of administrators: links to what they manage, with counts. */
export function AdminHome() {
  const counts = useQuery(countsQuery)
  const undelivered = useQuery(undeliveredMailsQuery('', 1)).data?.totalCount ?? 0
  const count = (value: number | undefined) => (counts.isError && value === undefined ? null : value)
  return (
    <Page title="Home" lead="What files must look like, and who sends them.">
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
