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
import { FieldForm, type FieldFormProps } from '#features/fields/field-form.tsx'
import { impactOf } from '#features/impacts/impact-button.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { LoadingPage } from '#ui/layout/loading-page.tsx'
import { Page } from '#ui/layout/page.tsx'
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

/** The dictionary that the field belongs to. */
type Place = { id: number; slug: string; name: string }

/** Waits for the name of the dictionary: arriving later, it would move the form down. */
function DictionaryField({ id, slug, fieldId }: { id: number; slug: string; fieldId: number | null }) {
  const dictionary = useQuery(dictionaryQuery(id))
  if (isStatus(dictionary.error, 404) && dictionary.data === undefined) return <NotFound />
  if (dictionary.isPending) return <LoadingPage />
  const place = { id, slug, name: dictionary.data?.name ?? 'Data dictionary' }
  return fieldId === null ? (
    <Form place={place} stored={null} />
  ) : (
    <StoredFieldForm place={place} fieldId={fieldId} />
  )
}

function StoredFieldForm({ place, fieldId }: { place: Place; fieldId: number }) {
  // A later read must not replace what was typed: the form starts from a fresh read and is not refetched.
  const field = useQuery({
    ...fieldQuery(fieldId),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (field.data !== undefined) return <Form place={place} stored={field.data} />
  if (isStatus(field.error, 404)) return <NotFound />
  if (!field.isError) return <LoadingPage />
  return (
    <Page title="Field" above={above(place)}>
      <LoadFailure isFramed what="The field" query={field} />
    </Page>
  )
}

function Form({ place, stored }: { place: Place } & Pick<FieldFormProps, 'stored'>) {
  const [added, setAdded] = useState<readonly Field[]>([])
  const last = added.at(-1)
  return (
    <Page
      title={stored?.field.name ?? 'Add a new field'}
      above={above(place)}
      lead={stored === null && <span role="status">{fieldMessages.added(last?.name)}</span>}
    >
      <FieldForm
        // The form of the next field begins empty.
        key={added.length}
        dictionaryId={place.id}
        stored={stored}
        category={last?.category}
        onAdded={stored === null ? (field) => setAdded([...added, field]) : undefined}
        dictionaryPath={paths.dictionaryEdit(place.slug)}
        impact={impactOf(place.id)}
      />
    </Page>
  )
}

const above = ({ slug, name }: Place) => [
  crumbs.home,
  crumbs.dictionaries,
  { label: name, to: paths.dictionaryEdit(slug) },
]
