import { useQuery } from '@tanstack/react-query'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { idOf } from '@veridict/contract/notation/id'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { fieldQuery } from '#features/fields/api.ts'
import { FieldForm } from '#features/fields/field-form.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { forForm } from '#lib/http/query-of.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { LoadingPage, Page } from '#ui/layout/page.tsx'
import { NotFound } from './not-found.tsx'

/** Adds a field to a dictionary, or edits the one with `fieldId`. See docs/BEHAVIOUR.md#field-form. */
export function FieldEdit() {
  const slug = useParams().slug ?? ''
  const fieldId = useSearchParams()[0].get('fieldId')
  const id = dictionaryIdOf(slug)
  const storedId = idOf(fieldId)
  if (id === null || (fieldId !== null && storedId === null)) return <NotFound />
  return <DictionaryField key={storedId} id={id} slug={slug} fieldId={storedId} />
}

/** Waits for the name of the dictionary: arriving later, it would move the form down. */
function DictionaryField({ id, slug, fieldId }: { id: number; slug: string; fieldId: number | null }) {
  const [added, setAdded] = useState<readonly Field[]>([])
  const dictionary = useQuery(dictionaryQuery(id))
  const field = useQuery({ ...fieldQuery(fieldId ?? 0), ...forForm, enabled: fieldId !== null })
  const isNew = fieldId === null
  const stored = field.data ?? null
  const last = added.at(-1)
  const showNext = (saved: Field) => {
    setAdded([...added, saved])
    // Else the bar would hide the label of the first input.
    scrollTo(0, 0)
  }
  if ([dictionary, field].some(({ error, data }) => isStatus(error, 404) && data === undefined))
    return <NotFound />
  if (dictionary.isPending || (!isNew && !field.isFetchedAfterMount)) return <LoadingPage />
  return (
    <Page
      title={isNew ? 'Add a new field' : (stored?.field.name ?? 'Field')}
      above={[
        crumbs.home,
        crumbs.dictionaries,
        { label: dictionary.data?.name ?? 'Data dictionary', to: paths.dictionaryEdit(slug) },
      ]}
      lead={isNew && <span role="status">{fieldMessages.added(last?.name)}</span>}
    >
      {!isNew && stored === null ? (
        <LoadFailure isFramed what="The field" query={field} />
      ) : (
        <FieldForm
          // The form of the next field begins empty.
          key={added.length}
          dictionaryId={id}
          stored={stored}
          category={last?.category}
          onAdded={isNew ? showNext : undefined}
          dictionaryPath={paths.dictionaryEdit(slug)}
        />
      )}
    </Page>
  )
}
