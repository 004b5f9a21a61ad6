import { useQuery } from '@tanstack/react-query'
import { findFittingDictionaries } from '@veridict/contract/api/submissions'
import { fileCheckMessages as texts } from '@veridict/contract/messages/file-check'
import { queryOf } from '#lib/http/query-of.ts'
import { useFileCheck } from './use-file-check.ts'
import classes from './file-check-panel.module.css'
import { ActionButton } from '#ui/forms/action-button.tsx'

/** The company's dictionaries that a file fits by its column names; none where that is not known. */
export function useFittingDictionaries(labels: string[] | undefined, dataDictionaryId?: number) {
  const found = useQuery({
    ...queryOf(findFittingDictionaries, { body: { labels: labels ?? [], dataDictionaryId } }),
    enabled: labels !== undefined && labels.length > 0,
    meta: { quiet: true },
  })
  return found.data ?? []
}

type FittingDictionariesProps = { file: File; isUploading: boolean; onDictionary: (id: number) => void }

/** For a file that is chosen before its dictionary: those that it fits, to choose one. */
export function FittingDictionaries({ file, isUploading, onDictionary }: FittingDictionariesProps) {
  const { state } = useFileCheck({ file, dictionaryId: null }, isUploading)
  const verdict = state.step === 'done' ? state.verdict : null
  const found = useFittingDictionaries(verdict?.kind === 'fileProblem' ? verdict.labels : undefined)
  if (found.length === 0) return null
  return (
    <section aria-label={texts.title} className={classes.fitting}>
      <p role="status">{texts.fits(found)}</p>
      {found.map(({ id, name }) => (
        <ActionButton
          label={texts.choose(name)}
          key={id}
          variant={found.length === 1 ? 'filled' : 'default'}
          onClick={() => onDictionary(id)}
        />
      ))}
    </section>
  )
}
