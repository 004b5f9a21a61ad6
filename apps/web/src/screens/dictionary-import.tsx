import { paths } from '#app/paths.ts'
import { ImportForm } from '#features/dictionaries/import-form.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Upload new data dictionary'

export function DictionaryImport() {
  return (
    <Page
      title={title}
      narrow
      crumbs={[
        { label: 'Home', to: paths.home },
        { label: 'Data dictionaries', to: paths.dictionaries },
        { label: title },
      ]}
    >
      <ImportForm listPath={paths.dictionaries} />
    </Page>
  )
}
