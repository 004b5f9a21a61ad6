import { useCallback, useMemo, useState } from 'react'
import type { Field } from '@veridict/contract/model/field'
import type { FieldValues, InputErrors } from '#features/fields/field-values.ts'
import { fieldsOf, errorsOfDrafts, type FieldDraft } from './field-drafts.ts'

const noErrors: ReadonlyMap<string, InputErrors> = new Map()

/** Proposed fields that an administrator corrects before they are saved. */
export function useDrafts() {
  const [drafts, setDrafts] = useState<FieldDraft[]>([])
  const [isEdited, setIsEdited] = useState(false)
  /** Saving found errors in fields: from then on they are shown. */
  const [isRefused, setIsRefused] = useState(false)
  const faults = useMemo(() => (isRefused ? errorsOfDrafts(drafts) : noErrors), [drafts, isRefused])

  const begin = (proposed: FieldDraft[]) => {
    setDrafts(proposed)
    setIsEdited(false)
    setIsRefused(false)
  }
  const edit = useCallback((edited: (draft: FieldDraft) => FieldDraft) => {
    setIsEdited(true)
    setDrafts((before) => before.map(edited))
  }, [])
  const change = useCallback(
    (letter: string, changed: Partial<FieldDraft>) =>
      edit((draft) => (draft.letter === letter ? { ...draft, ...changed } : draft)),
    [edit],
  )
  const changeValues = useCallback(
    (letter: string, values: Partial<FieldValues>) =>
      edit((draft) =>
        draft.letter === letter ? { ...draft, values: { ...draft.values, ...values } } : draft,
      ),
    [edit],
  )
  const includeAll = useCallback((isIncluded: boolean) => edit((draft) => ({ ...draft, isIncluded })), [edit])

  /** The fields to save; null on errors, which are then shown. */
  const take = (): Field[] | null => {
    if (errorsOfDrafts(drafts).size === 0) return fieldsOf(drafts)
    setIsRefused(true)
    return null
  }
  return { drafts, isEdited, faults, begin, change, changeValues, includeAll, take }
}
