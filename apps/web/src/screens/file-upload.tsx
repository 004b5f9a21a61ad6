import { useQuery } from '@tanstack/react-query'
import { dictionariesForSelection } from '@veridict/contract/api/submissions'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { crumbs } from '#app/paths.ts'
import { FileCheckPanel } from '#features/file-check/file-check-panel.tsx'
import { FittingDictionaries } from '#features/file-check/fitting-dictionaries.tsx'
import { UploadForm } from '#features/submissions/upload-form.tsx'
import { queryOf } from '#lib/http/query-of.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Page } from '#ui/layout/page.tsx'
import { copyOfReport } from '#verdict/correction.ts'

const title = 'Upload new file'

export function FileUpload() {
  const [query] = useSearchParams()
  const [firstCopy] = useState(copyOfReport.current)
  useEffect(() => {
    copyOfReport.current = null
  }, [])
  const dictionaries = useQuery(queryOf(dictionariesForSelection))
  return (
    <Page title={title} narrow above={[crumbs.home]}>
      {dictionaries.isError && dictionaries.data === undefined ? (
        <LoadFailure isFramed what="The data dictionaries" query={dictionaries} />
      ) : (
        <UploadForm
          dictionaries={dictionaries.data}
          firstDictionary={query.get('dictionary')}
          firstFile={firstCopy?.file ?? null}
          renderCheck={({ dictionaryId, ...chosen }) =>
            dictionaryId === null ? (
              <FittingDictionaries {...chosen} />
            ) : (
              <FileCheckPanel {...chosen} dictionaryId={dictionaryId} firstCopy={firstCopy} />
            )
          }
        />
      )}
    </Page>
  )
}
