import { crumbs } from '#app/paths.ts'
import { DictionaryCreateForm } from '#features/dictionaries/dictionary-create-form.tsx'
import { DraftList } from '#features/fields/sample/draft-list.tsx'
import { FieldSource } from '#features/fields/sample/field-source.tsx'
import { useSample } from '#features/fields/sample/use-sample.ts'
import { FormSection } from '#ui/forms/form-page.tsx'
import { Page } from '#ui/layout/page.tsx'

const title = 'Create dictionary'

/** Creates a dictionary, empty or with the fields proposed from a sample file. */
export function DictionaryCreate() {
  const sample = useSample()
  const { proposal, take } = sample
  return (
    <Page title={title} narrow={proposal === null} above={[crumbs.home, crumbs.dictionaries]}>
      <DictionaryCreateForm
        fields={{
          isDirty: proposal !== null,
          isReading: sample.reading !== null,
          suggestedName: proposal?.name ?? '',
          take,
        }}
      >
        <FormSection title="Fields">
          <FieldSource sample={sample} />
        </FormSection>
        <DraftList sample={sample} />
      </DictionaryCreateForm>
    </Page>
  )
}
