import { crumbs } from '#app/paths.ts'
import { ImportForm } from '#features/dictionaries/import-form.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Upload new data dictionary'

export function DictionaryImport() {
  return (
    <Page title={title} narrow above={[crumbs.home, crumbs.dictionaries]}>
      <ImportForm />
    </Page>
  )
}
