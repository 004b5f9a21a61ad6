import { useQuery } from '@tanstack/react-query'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import type { ReactNode } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { fieldQuery } from '#features/fields/api.ts'
import { FieldForm } from '#features/fields/field-form.tsx'
import { emptyField, valuesOf } from '#features/fields/field-values.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { LoadingPage } from '#ui/layout/loading-page.tsx'
import { Page } from '#ui/layout/page.tsx'
import { pageNumberOf } from '#ui/tables/page-window.ts'
import { NotFound } from './not-found.tsx'

/** Adds a field to a dictionary, or edits the one with `fieldId`. See docs/BEHAVIOUR.md#field-form. */
export function FieldEdit() {
  const slug = useParams().slug ?? ''
  const fieldId = useSearchParams()[0].get('fieldId')
  const id = dictionaryIdOf(slug)
  if (id === null) return <NotFound />
  if (fieldId === null) return <NewField id={id} slug={slug} />
  return <StoredField key={fieldId} id={id} slug={slug} fieldId={pageNumberOf(fieldId)} />
}

const newTitle = 'Add a new field'

function NewField({ id, slug }: { id: number; slug: string }) {
  return (
    <Frame id={id} slug={slug} title={newTitle}>
      <FieldForm
        dictionaryId={id}
        fieldId={null}
        initialValues={emptyField}
        etag={null}
        dictionaryPath={paths.dictionaryEdit(slug)}
      />
    </Frame>
  )
}

function StoredField({ id, slug, fieldId }: { id: number; slug: string; fieldId: number }) {
  // A later read must not replace what was typed: the form starts from a fresh read and is not refetched.
  const field = useQuery({
    ...fieldQuery(fieldId),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  // Waits for the name as well: arriving later, it would move the form down.
  const dictionary = useQuery(dictionaryQuery(id))
  if (isStatus(field.error, 404) && field.data === undefined) return <NotFound />
  if (field.isError && field.data === undefined) {
    return (
      <Frame id={id} slug={slug} title="Field">
        <LoadFailure isFramed what="The field" failure={field.error} onRetry={() => void field.refetch()} />
      </Frame>
    )
  }
  if (field.data === undefined || dictionary.isPending) return <LoadingPage />
  return (
    <Frame id={id} slug={slug} title={field.data.field.name}>
      <FieldForm
        dictionaryId={id}
        fieldId={fieldId}
        initialValues={valuesOf(field.data.field)}
        etag={field.data.etag}
        dictionaryPath={paths.dictionaryEdit(slug)}
      />
    </Frame>
  )
}

type FrameProps = { id: number; slug: string; title: string; children: ReactNode }

function Frame({ id, slug, title, children }: FrameProps) {
  const dictionary = useQuery(dictionaryQuery(id))
  return (
    <Page
      title={title}
      crumbs={[
        { label: 'Home', to: paths.home },
        { label: 'Data dictionaries', to: paths.dictionaries },
        { label: dictionary.data?.name ?? 'Data dictionary', to: paths.dictionaryEdit(slug) },
        { label: title },
      ]}
    >
      {children}
    </Page>
  )
}
