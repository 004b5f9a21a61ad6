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

/** Where the fields of a new dictionary come from: nowhere yet, or from a sample that the server reads. */
export function useSample() {
  const [source, setSource] = useState<'empty' | 'sample'>('empty')
  const [proposal, setProposal] = useState<DictionaryProposal | null>(null)
  const [rulesLeftOut, setRulesLeftOut] = useState<ReadonlySet<string>>(new Set())
  const { isEdited, begin, take: takeDrafts, ...drafts } = useDrafts()
  const { state, file, fault, choose, refuse, start } = useUpload(proposeDictionary, sampleFault)

  const read = async (files: File[]) => {
    const chosen = choose(files)
    setProposal(null)
    begin([])
    const proposed = chosen === null ? null : await start(chosen, {})
    if (proposed === null) return
    begin(draftsOf(proposed))
    setRulesLeftOut(new Set())
    setProposal(proposed)
  }
  /** What is to be saved; null on errors, which are then shown. */
  const take = (): (RuleBook & { fields: Field[] }) | null => {
    if (source === 'empty') return { fields: [], ...emptyRuleBook }
    const fields = proposal === null ? null : takeDrafts()
    if (proposal === null) refuse(uploadMessages.fileRequired)
    return proposal && fields && { fields, ...rulesOf(proposal, drafts.drafts, rulesLeftOut) }
  }
  const refused = state.step === 'refused' ? state.messages : []
  const isKept = state.step === 'refused' ? state.isFileAtFault : state.step !== 'idle'
  return {
    ...drafts,
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
    proposal: source === 'sample' ? proposal : null,
    rules: proposal === null ? [] : proposedRules(proposal, drafts.drafts),
    rulesLeftOut,
    includeRule: (name: string, isIncluded: boolean) =>
      setRulesLeftOut(
        isIncluded
          ? new Set([...rulesLeftOut].filter((other) => other !== name))
          : new Set([...rulesLeftOut, name]),
      ),
    choose: (files: File[]) => void confirmAndClose(isEdited, () => void read(files)),
    take,
  }
}
export type Sample = ReturnType<typeof useSample>

const noErrors: ReadonlyMap<string, InputErrors> = new Map()

/** Proposed fields that an administrator corrects before they are saved. */
function useDrafts() {
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
  const includeAll = useCallback((isIncluded: boolean) => edit((draft) => ({ ...draft, isIncluded })), [edit])

  /** The fields to save; null on errors, which are then shown. */
  const take = (): Field[] | null => {
    if (errorsOfDrafts(drafts).size === 0) return fieldsOf(drafts)
    setIsRefused(true)
    return null
  }
  return { drafts, isEdited, faults, begin, change, includeAll, take }
}
