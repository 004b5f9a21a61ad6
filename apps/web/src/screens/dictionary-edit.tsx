import { IconArrowsSort, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { impactMessages } from '@veridict/contract/messages/impacts'
import { writeCount } from '@veridict/contract/notation/count'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
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
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { isStatus } from '#lib/http/call-failure.ts'
import { Loaded } from '#ui/feedback/load-failure.tsx'
import { ActionButton, TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { Facts, FailedPage, LoadingPage, Page, Panel } from '#ui/layout/page.tsx'
import { NotFound } from './not-found.tsx'

const above = [crumbs.home, crumbs.dictionaries]

/** See docs/BEHAVIOUR.md#dictionaries. */
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
  return <FailedPage title="Data dictionary" above={above} what="The data dictionary" query={dictionary} />
}

type DictionaryScreenProps = { id: number; slug: string; dictionary: Dictionary; fields: FieldsQuery }

function DictionaryScreen({ id, slug, dictionary, fields }: DictionaryScreenProps) {
  const { name } = dictionary
  const loaded = fields.data ?? []
  return (
    <Page
      title={name}
      above={above}
      actions={
        <>
          <ExportMenu dictionary={{ id, name }} hasFields={loaded.length > 0} />
          <ActionButton
            label="Change order"
            variant="default"
            Icon={IconArrowsSort}
            disabled={loaded.length < 2}
            onClick={() => openDialog(OrderDialog, { dictionaryId: id, fields: loaded })}
          />
          <ActionButton label="Add new field" to={paths.fieldEdit(slug)} Icon={IconPlus} />
        </>
      }
    >
      <Metadata id={id} dictionary={dictionary} />
      <Panel title="Fields" count={fields.data?.length}>
        <Loaded isFramed what="The fields" query={fields} skeleton={5}>
          {(all) => <FieldList dictionaryId={id} fields={all} slug={slug} />}
        </Loaded>
      </Panel>
      {loaded.length > 0 && <RulesSection dictionaryId={id} fields={loaded} slug={slug} />}
    </Page>
  )
}

function Metadata({ id, dictionary }: { id: number; dictionary: Dictionary }) {
  const { name, lastUpdated, updatedBy, companies, version: etag } = dictionary
  const showHistory = () => openDialog(HistoryDrawer, { dictionary: { id, name } })
  const rename = () => openDialog(RenameDialog, { dictionary: { id, name, etag } })
  return (
    <Panel title="Metadata">
      <Facts
        facts={[
          { name: 'Name', value: name, action: <TextButton label="Edit" inherit onClick={rename} /> },
          {
            name: 'Last changed',
            value: <ChangedBy at={lastUpdated} by={updatedBy} />,
            action: <TextButton label="History" inherit onClick={showHistory} />,
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
