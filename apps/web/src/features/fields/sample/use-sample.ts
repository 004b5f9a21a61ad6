import { type DictionaryProposal, proposeDictionary } from '@veridict/contract/api/dictionaries'
import { sampleFault } from '@veridict/contract/forms/sample'
import { uploadMessages } from '@veridict/contract/messages/upload'
import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { useCallback, useMemo, useState } from 'react'
import type { InputErrors } from '#features/fields/field-values.ts'
import { confirmAndClose } from '#lib/forms/confirm.ts'
import { useUpload } from '#lib/http/use-upload.ts'
import {
  draftsOf,
  errorsOfDrafts,
  type FieldDraft,
  fieldsOf,
  proposedRules,
  rulesOf,
} from './field-drafts.ts'

/** A sample that was read: what it proposes, which an administrator corrects before it is saved. */
type ReadSample = {
  proposal: DictionaryProposal
  drafts: FieldDraft[]
  rulesLeftOut: readonly string[]
  isEdited: boolean
  /** Saving found errors in fields: from then on they are shown. */
  isRefused: boolean
}

const noDrafts: FieldDraft[] = []
const noErrors: ReadonlyMap<string, InputErrors> = new Map()

/** Where the fields of a new dictionary come from: nowhere yet, or from a sample that the server reads. */
export function useSample() {
  const [source, setSource] = useState<'empty' | 'sample'>('empty')
  const [sample, setSample] = useState<ReadSample | null>(null)
  const { state, file, fault, choose, refuse, start } = useUpload(proposeDictionary, sampleFault)
  const { drafts = noDrafts, rulesLeftOut = [], isRefused = false } = sample ?? {}
  const faults = useMemo(() => (isRefused ? errorsOfDrafts(drafts) : noErrors), [drafts, isRefused])

  const read = async (files: File[]) => {
    const chosen = choose(files)
    setSample(null)
    const proposal = chosen && (await start(chosen, {}))
    if (proposal === null) return
    const given = { proposal, drafts: draftsOf(proposal), rulesLeftOut: [] }
    setSample({ ...given, isEdited: false, isRefused: false })
  }
  const edit = useCallback(
    (edited: (draft: FieldDraft) => FieldDraft) =>
      setSample((before) => before && { ...before, isEdited: true, drafts: before.drafts.map(edited) }),
    [],
  )
  /** What is to be saved; null on errors, which are then shown. */
  const take = (): (RuleBook & { fields: Field[] }) | null => {
    if (source === 'empty') return { fields: [], ...emptyRuleBook }
    if (sample === null) refuse(uploadMessages.fileRequired)
    else if (errorsOfDrafts(drafts).size > 0) setSample({ ...sample, isRefused: true })
    else return { fields: fieldsOf(drafts), ...rulesOf(sample.proposal, drafts, rulesLeftOut) }
    return null
  }
  const refused = state.step === 'refused' ? state.messages : []
  const isKept = state.step === 'refused' ? state.isFileAtFault : state.step !== 'idle'
  return {
    source,
    setSource,
    /** null after a failure that was not the file's: it can be chosen again. */
    file: isKept ? file : null,
    /** The error of the file, a sentence; null if there is none or more than one. */
    fault: fault ?? (refused.length === 1 ? refused[0] : null),
    /** The errors of the file if there is more than one, else empty. */
    faultsOfFile: refused.length > 1 ? refused : [],
    reading: source === 'sample' && state.step === 'uploading' ? state : null,
    /** null while no sample is read, or none is wanted. */
    proposal: source === 'sample' && sample !== null ? sample.proposal : null,
    drafts,
    faults,
    rules: sample === null ? [] : proposedRules(sample.proposal, drafts),
    rulesLeftOut,
    change: useCallback(
      (letter: string, changed: Partial<FieldDraft>) =>
        edit((draft) => (draft.letter === letter ? { ...draft, ...changed } : draft)),
      [edit],
    ),
    includeAll: (isIncluded: boolean) => edit((draft) => ({ ...draft, isIncluded })),
    includeRule: (name: string, isIncluded: boolean) => {
      const others = rulesLeftOut.filter((other) => other !== name)
      setSample((before) => before && { ...before, rulesLeftOut: isIncluded ? others : [...others, name] })
    },
    choose: (files: File[]) => void confirmAndClose(sample?.isEdited === true, () => void read(files)),
    take,
  }
}
export type Sample = ReturnType<typeof useSample>
