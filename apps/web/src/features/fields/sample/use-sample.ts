import { type DictionaryProposal, proposeDictionary } from '@veridict/contract/api/dictionaries'
import { sampleFault } from '@veridict/contract/forms/sample'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { useCallback, useMemo, useState } from 'react'
import type { FieldBody } from '#features/fields/api.ts'
import type { FieldValues } from '#features/fields/field-values.ts'
import { closeUnlessKept } from '#lib/forms/use-dirty-guard.ts'
import { useUpload } from '#lib/http/use-upload.ts'
import { bodiesOf, type DraftFaults, draftsOf, faultsOfDrafts, type FieldDraft } from './field-drafts.ts'

const noFaults: ReadonlyMap<string, DraftFaults> = new Map()

/** Where the fields of a new dictionary come from: nowhere yet, or from a sample that the server reads. */
export function useSample() {
  const [source, setSource] = useState<'empty' | 'sample'>('empty')
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [proposal, setProposal] = useState<DictionaryProposal | null>(null)
  const [drafts, setDrafts] = useState<FieldDraft[]>([])
  const [isEdited, setIsEdited] = useState(false)
  /** How often saving was refused by faults of fields; from the first time on they are shown. */
  const [refusals, setRefusals] = useState(0)
  const { state, start, reset } = useUpload(proposeDictionary)
  const faults = useMemo(() => (refusals === 0 ? noFaults : faultsOfDrafts(drafts)), [drafts, refusals])

  const read = async (chosen: File | null) => {
    reset()
    setProposal(null)
    setDrafts([])
    setIsEdited(false)
    setRefusals(0)
    setFile(chosen)
    const proposed = chosen === null ? null : await start(chosen, {})
    if (proposed === null) return
    setDrafts(draftsOf(proposed))
    setProposal(proposed)
  }
  const choose = (files: File[]) => {
    const wrong = files.length > 1 ? uploadMessages.oneFileOnly : files.length === 1 ? sampleFault(files[0]) : null
    void closeUnlessKept(isEdited, () => {
      setFault(wrong)
      void read(wrong === null ? (files[0] ?? null) : null)
    })
  }
  const change = useCallback((letter: string, changed: Partial<FieldDraft>) => {
    setIsEdited(true)
    setDrafts((before) => before.map((draft) => (draft.letter === letter ? { ...draft, ...changed } : draft)))
  }, [])
  const changeValues = useCallback((letter: string, values: Partial<FieldValues>) => {
    setIsEdited(true)
    setDrafts((before) => before.map((draft) => (draft.letter === letter ? { ...draft, values: { ...draft.values, ...values } } : draft)))
  }, [])
  const includeAll = useCallback((isIncluded: boolean) => {
    setIsEdited(true)
    setDrafts((before) => before.map((draft) => ({ ...draft, isIncluded })))
  }, [])

  /** The fields to save; null where something must be put right first, which is then shown. */
  const take = (): FieldBody[] | null => {
    if (source === 'empty') return []
    if (proposal === null) {
      setFault(uploadMessages.fileRequired)
      return null
    }
    if (faultsOfDrafts(drafts).size === 0) return bodiesOf(drafts)
    setRefusals((count) => count + 1)
    return null
  }
  const refused = state.step === 'refused' ? state.messages : []
  return {
    source,
    setSource,
    file,
    /** What is wrong with the file, a sentence. */
    fault: fault ?? (refused.length === 1 ? refused[0] : null),
    /** The same where it is more than one. */
    faultsOfFile: refused.length > 1 ? refused : [],
    reading: state.step === 'uploading' ? state : null,
    /** null while no sample is read, or none is wanted. */
    proposal: source === 'sample' ? proposal : null,
    drafts,
    faults,
    refusals,
    choose,
    change,
    changeValues,
    includeAll,
    take,
  }
}
export type Sample = ReturnType<typeof useSample>
