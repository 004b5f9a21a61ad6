import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { paths } from '#app/paths.ts'
import { countsQuery } from '#features/admin/api.ts'
import { CountCard } from '#features/admin/count-card.tsx'
import { Page } from '#ui/layout/page.tsx'

/** The home of administrators: links to what they manage, with counts. */
export function AdminHome() {
  const counts = useQuery(countsQuery)
  const count = (value: number | undefined) => (counts.isError && value === undefined ? null : value)
  return (
    <Page title="Home" lead="What files must look like, and who sends them.">
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
