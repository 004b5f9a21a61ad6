import { dictionaryPath, paths } from '#app/paths.ts'
import { DictionaryCreateForm } from '#features/dictionaries/dictionary-create-form.tsx'
import { Page } from '#ui/page.tsx'

const title = 'Create dictionary'

export function DictionaryCreate() {
  return (
    <Page
      title={title}
      narrow
      crumbs={[{ label: 'Home', to: paths.home }, { label: 'Data dictionaries', to: paths.dictionaries }, { label: title }]}
    >
      <DictionaryCreateForm listPath={paths.dictionaries} createdPath={dictionaryPath} />
    </Page>
  )
}
