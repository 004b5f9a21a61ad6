import { IconArrowsSort, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { impactMessages } from '@veridict/contract/messages/impacts'
import { writeCount } from '@veridict/contract/notation/count'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { useState } from 'react'
import { useParams } from 'react-router'
import { crumbs, paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { ExportMenu } from '#features/dictionaries/export-menu.tsx'
import { ChangedBy, HistoryDrawer } from '#features/dictionaries/history-drawer.tsx'
import { RenameDialog } from '#features/dictionaries/name-dialogs.tsx'
import { fieldsQuery } from '#features/fields/api.ts'
import { FieldList } from '#features/fields/field-list.tsx'
import { OrderDialog } from '#features/fields/order-dialog.tsx'
import { RulesSection } from '#features/rules/rules-section.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { Loaded, LoadFailure } from '#ui/feedback/load-failure.tsx'
import { ActionButton, TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { Facts, LoadingPage, Page, Panel } from '#ui/layout/page.tsx'
import { NotFound } from './not-found.tsx'

const above = [crumbs.home, crumbs.dictionaries]

type Dialog = 'rename' | 'order' | 'history'

/** A dictionary and its fields. See docs/BEHAVIOUR.md#dictionaries. */
export function DictionaryEdit() {
  const slug = useParams().slug ?? ''
  const id = dictionaryIdOf(slug)
  return id === null ? <NotFound /> : <LoadedDictionary id={id} slug={slug} />
}

const useDictionary = (id: number) => useQuery(dictionaryQuery(id))
const useFields = (id: number) => useQuery(fieldsQuery(id))
type Dictionary = NonNullable<ReturnType<typeof useDictionary>['data']>
type FieldsQuery = ReturnType<typeof useFields>

function LoadedDictionary({ id, slug }: { id: number; slug: string }) {
  const dictionary = useDictionary(id)
  const fields = useFields(id)
  if (dictionary.data !== undefined)
    return <DictionaryScreen id={id} slug={slug} dictionary={dictionary.data} fields={fields} />
  if (isStatus(dictionary.error, 404)) return <NotFound />
  if (!dictionary.isError) return <LoadingPage />
  return (
    <Page title="Data dictionary" above={above}>
      <LoadFailure isFramed what="The data dictionary" query={dictionary} />
    </Page>
  )
}

type DictionaryScreenProps = { id: number; slug: string; dictionary: Dictionary; fields: FieldsQuery }

function DictionaryScreen({ id, slug, dictionary, fields }: DictionaryScreenProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const { name, version: etag } = dictionary
  return (
    <Page
      title={name}
      above={above}
      actions={
        <>
          <ExportMenu dictionary={{ id, name }} hasFields={(fields.data?.length ?? 0) > 0} />
          <FieldButtons slug={slug} fieldCount={fields.data?.length ?? 0} onOpen={setDialog} />
        </>
      }
    >
      <Metadata dictionary={dictionary} onOpen={setDialog} />
      <Fields id={id} slug={slug} fields={fields} />
      {fields.data !== undefined && fields.data.length > 0 && (
        <RulesSection dictionaryId={id} fields={fields.data} slug={slug} />
      )}
      <HistoryDrawer dictionary={{ id, name }} isOpen={dialog === 'history'} onClose={close} />
      {dialog === 'rename' && <RenameDialog dictionary={{ id, name, etag }} onClose={close} />}
      {dialog === 'order' && fields.data !== undefined && (
        <OrderDialog dictionaryId={id} fields={fields.data} onClose={close} />
      )}
    </Page>
  )
}

type FieldButtonsProps = { slug: string; fieldCount: number; onOpen: (dialog: Dialog) => void }

function FieldButtons({ slug, fieldCount, onOpen }: FieldButtonsProps) {
  return (
    <>
      <ActionButton
        label="Change order"
        variant="default"
        Icon={IconArrowsSort}
        disabled={fieldCount < 2}
        onClick={() => onOpen('order')}
      />
      <ActionButton label="Add new field" to={paths.fieldEdit(slug)} Icon={IconPlus} />
    </>
  )
}

type MetadataProps = { dictionary: Dictionary; onOpen: (dialog: Dialog) => void }

function Metadata({ dictionary, onOpen }: MetadataProps) {
  const { name, lastUpdated, updatedBy, companies } = dictionary
  const opener = (label: string, dialog: Dialog) => (
    <TextButton label={label} inherit onClick={() => onOpen(dialog)} />
  )
  return (
    <Panel title="Metadata">
      <Facts
        facts={[
          { name: 'Name', value: name, action: opener('Edit', 'rename') },
          {
            name: 'Last changed',
            value: <ChangedBy at={lastUpdated} by={updatedBy} />,
            action: opener('History', 'history'),
          },
          { name: impactMessages.companies, value: <Companies companies={companies} /> },
        ]}
      />
    </Panel>
  )
}

/** So many companies that use the dictionary are named. */
const MOST_COMPANIES = 12

function Companies({ companies }: Pick<Dictionary, 'companies'>) {
  if (companies.length === 0) return impactMessages.noCompanies
  const more = companies.length - MOST_COMPANIES
  return (
    <>
      {companies.slice(0, MOST_COMPANIES).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink label={name} to={paths.companyEdit(id)} inherit />
        </span>
      ))}
      {more > 0 && ` and ${writeCount(more)} more`}
    </>
  )
}

function Fields({ id, slug, fields }: { id: number; slug: string; fields: FieldsQuery }) {
  return (
    <Panel title="Fields" count={fields.data?.length}>
      <Loaded isFramed what="The fields" query={fields} skeleton={5}>
        {(loaded) => <FieldList dictionaryId={id} fields={loaded} slug={slug} />}
      </Loaded>
    </Panel>
  )
}
