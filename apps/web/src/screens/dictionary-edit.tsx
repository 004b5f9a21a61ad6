import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowsSort, IconPlus } from '@tabler/icons-react'
import { dictionaryIdOf } from '@veridict/contract/notation/dictionary-slug'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { paths } from '#app/paths.ts'
import { dictionaryQuery } from '#features/dictionaries/api.ts'
import { ChangedBy } from '#features/dictionaries/changed-by.tsx'
import { ExportMenu } from '#features/dictionaries/export-menu.tsx'
import { HistoryDrawer } from '#features/dictionaries/history-drawer.tsx'
import { RenameDialog } from '#features/dictionaries/name-dialogs.tsx'
import { fieldsQuery } from '#features/fields/api.ts'
import { FieldList } from '#features/fields/field-list.tsx'
import { OrderDialog } from '#features/fields/order-dialog.tsx'
import { ruleSummary } from '#features/fields/rule-summary.ts'
import { isStatus } from '#lib/http/call-failure.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { LoadingPage } from '#ui/layout/loading-page.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { NotFound } from './not-found.tsx'

const crumbs = [
  { label: 'Home', to: paths.home },
  { label: 'Data dictionaries', to: paths.dictionaries },
]

type Dialog = 'rename' | 'order' | 'history' | null

/** A dictionary and its fields. Spec §2. */
export function DictionaryEdit() {
  const slug = useParams().slug ?? ''
  const id = dictionaryIdOf(slug)
  return id === null ? <NotFound /> : <DictionaryScreen id={id} slug={slug} />
}

function DictionaryScreen({ id, slug }: { id: number; slug: string }) {
  const dictionary = useQuery(dictionaryQuery(id))
  const fields = useQuery(fieldsQuery(id))
  const [dialog, setDialog] = useState<Dialog>(null)
  const close = () => setDialog(null)
  if (dictionary.data === undefined) {
    if (isStatus(dictionary.error, 404)) return <NotFound />
    if (!dictionary.isError) return <LoadingPage />
    return (
      <Page title="Data dictionary" crumbs={[...crumbs, { label: 'Data dictionary' }]}>
        <LoadFailure
          isFramed
          what="The data dictionary"
          failure={dictionary.error}
          onRetry={() => void dictionary.refetch()}
        />
      </Page>
    )
  }
  const { name, lastUpdated, updatedBy, version } = dictionary.data
  return (
    <Page
      title={name}
      crumbs={[...crumbs, { label: name }]}
      actions={
        <>
          <ExportMenu dictionary={{ id, name }} hasFields={(fields.data?.length ?? 0) > 0} />
          <Button
            variant="default"
            leftSection={<IconArrowsSort size={18} stroke={1.8} aria-hidden />}
            disabled={(fields.data?.length ?? 0) < 2}
            onClick={() => setDialog('order')}
          >
            Change order
          </Button>
          <Button
            component={Link}
            to={paths.fieldEdit(slug)}
            leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
          >
            Add new field
          </Button>
        </>
      }
    >
      <Panel title="Metadata">
        <Facts
          facts={[
            {
              name: 'Name',
              value: name,
              action: (
                <Anchor component="button" type="button" inherit onClick={() => setDialog('rename')}>
                  Edit
                </Anchor>
              ),
            },
            {
              name: 'Last changed',
              value: <ChangedBy at={lastUpdated} by={updatedBy} />,
              action: (
                <Anchor component="button" type="button" inherit onClick={() => setDialog('history')}>
                  History
                </Anchor>
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="Fields" count={fields.data?.length}>
        {fields.data !== undefined ? (
          <FieldList
            dictionaryId={id}
            fields={fields.data}
            addPath={paths.fieldEdit(slug)}
            editPath={(fieldId) => paths.fieldEdit(slug, fieldId)}
          />
        ) : fields.isError ? (
          <LoadFailure
            isFramed
            what="The fields"
            failure={fields.error}
            onRetry={() => void fields.refetch()}
          />
        ) : (
          <SkeletonRows count={5} />
        )}
      </Panel>
      <HistoryDrawer
        dictionary={{ id, name }}
        isOpen={dialog === 'history'}
        onClose={close}
        ruleOf={ruleSummary}
      />
      {dialog === 'rename' && <RenameDialog dictionary={{ id, name, version }} onClose={close} />}
      {dialog === 'order' && fields.data !== undefined && (
        <OrderDialog dictionaryId={id} fields={fields.data} onClose={close} />
      )}
    </Page>
  )
}
