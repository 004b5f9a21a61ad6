import { useQuery } from '@tanstack/react-query'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { idOf } from '@veridict/contract/notation/id'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { fieldQuery } from '#features/fields/api.ts'
import { FieldForm } from '#features/fields/field-form.tsx'
import { emptyField, valuesOf } from '#features/fields/field-values.ts'
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

type DictionaryFieldProps = { id: number; slug: string; fieldId: number | null }

/** Waits for the name of the dictionary: arriving later, it would move the form down. */
function DictionaryField({ id, slug, fieldId }: DictionaryFieldProps) {
  const dictionary = useQuery(dictionaryQuery(id))
  if (isStatus(dictionary.error, 404) && dictionary.data === undefined) return <NotFound />
  if (dictionary.isPending) return <LoadingPage />
  const place = { id, slug, name: dictionary.data?.name ?? 'Data dictionary' }
  return fieldId === null ? <NewField place={place} /> : <StoredField place={place} fieldId={fieldId} />
}

/** The dictionary that the field belongs to. */
type Place = { id: number; slug: string; name: string }

const newTitle = 'Add a new field'

function NewField({ place }: { place: Place }) {
  return (
    <Frame place={place} title={newTitle}>
      <FieldForm
        dictionaryId={place.id}
        fieldId={null}
        initialValues={emptyField}
        etag={null}
        dictionaryPath={paths.dictionaryEdit(place.slug)}
        impact={impactOf(place.id)}
      />
    </Frame>
  )
}

function StoredField({ place, fieldId }: { place: Place; fieldId: number }) {
  // A later read must not replace what was typed: the form starts from a fresh read and is not refetched.
  const field = useQuery({
    ...fieldQuery(fieldId),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (isStatus(field.error, 404) && field.data === undefined) return <NotFound />
  if (field.isError && field.data === undefined) {
    return (
      <Frame place={place} title="Field">
        <LoadFailure isFramed what="The field" query={field} />
      </Frame>
    )
  }
  if (field.data === undefined) return <LoadingPage />
  return (
    <Frame place={place} title={field.data.field.name}>
      <FieldForm
        dictionaryId={place.id}
        fieldId={fieldId}
        initialValues={valuesOf(field.data.field)}
        etag={field.data.etag}
        dictionaryPath={paths.dictionaryEdit(place.slug)}
        impact={impactOf(place.id)}
      />
    </Frame>
  )
}

type FrameProps = { place: Place; title: string; children: ReactNode }

function Frame({ place: { slug, name }, title, children }: FrameProps) {
  return (
    <Page
      title={title}
      above={[crumbs.home, crumbs.dictionaries, { label: name, to: paths.dictionaryEdit(slug) }]}
    >
      {children}
    </Page>
  )
}
