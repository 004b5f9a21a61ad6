import { Radio, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { saveRuleBook } from '@veridict/contract/api/rule-book'
import { nameLimits } from '@veridict/contract/limits'
import { formMessages } from '@veridict/contract/messages/forms'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { useState } from 'react'
import { ImpactButton } from '#features/impacts/impact-button.tsx'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import { useDirtyGuard } from '#lib/forms/confirm.ts'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { useChange } from '#lib/http/query-of.ts'
import { DayField } from '#ui/forms/day-field.tsx'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { readBookForForm, ruleBookQuery, type StoredBook } from './api.ts'
import classes from './rule-form.module.css'
import { RuleText } from './rule-text.tsx'
import { findFaults } from './rule-trials.ts'
import {
  bookWith,
  type PlacedFaults,
  placeFaults,
  proposedNameOf,
  type RuleDraft,
  ruleOf,
  type RuleValues,
  ruleWord,
  sentenceOf,
  type TestPart,
  valuesOfEdited,
} from './rule-values.ts'
import { TestRows } from './test-rows.tsx'
import { TryRule } from './try-rule.tsx'

export type RuleFormProps = {
  dictionaryId: number
  /** As it was read. */
  initial: RuleDraft & { book: StoredBook }
  /** A copy can be saved as it is. */
  isCopy: boolean
  dictionaryPath: string
}

/** A rule, or the exemption, as a sentence of drop-downs. See docs/BEHAVIOUR.md#rules-on-the-page. */
export function RuleForm(props: RuleFormProps) {
  const { dictionaryId, initial, isCopy, dictionaryPath } = props
  const { edited, fields } = initial
  const isRule = edited.kind === 'rule'
  const { form, draft, proposal, conflict, isSaving, send, tried } = useRuleForm(props)
  const { book, values } = draft
  const faults = form.errors as PlacedFaults
  const canSave = isCopy || form.isDirty()
  const changeTests = (changed: Partial<RuleValues>) => {
    form.setValues(changed)
    form.setErrors({})
  }
  const section = (part: TestPart, title: string, hint: string, addLabel: string) => (
    <FormSection isWide title={title}>
      <p className={classes.hint}>{hint}</p>
      <TestRows
        part={part}
        tests={values[part]}
        joint={part === 'when' ? values.joint : 'all'}
        fields={fields}
        lists={book.lists}
        faults={faults}
        addLabel={addLabel}
        onChange={(tests, joint) => changeTests({ [part]: tests, ...(part === 'when' && { joint }) })}
      />
      {faults[part] && <Fault text={faults[part]} />}
    </FormSection>
  )
  return (
    <FormPage
      isLong
      cancelPath={dictionaryPath}
      canSave={canSave}
      isSaving={isSaving}
      beside={<ImpactButton dictionaryId={dictionaryId} draft={tried} isDisabled={!canSave} />}
      onSubmit={form.onSubmit(() => void send())}
    >
      <section className={classes.sentence} aria-label={texts.sentence}>
        <p aria-live="polite">
          <RuleText sentence={sentenceOf(edited.kind, values)} columns={fields} />
        </p>
      </section>
      {section('when', 'If', isRule ? texts.ifHint : texts.exemptHint, 'Add a condition')}
      {isRule && section('then', 'Then', texts.thenHint, 'Add what must be true')}
      {isRule && section('otherwise', 'Otherwise', texts.otherwiseHint, 'Add what must be true')}
      {isRule && <TryRule draft={draft} />}
      <FormSection isWide title="About it">
        <About form={form} isRule={isRule} proposal={proposal} />
      </FormSection>
      {(conflict.note || faults.book) && (
        <FormSection isWide title="Meanwhile">
          {conflict.note || <Fault text={faults.book} />}
        </FormSection>
      )}
    </FormPage>
  )
}

function useRuleForm({ dictionaryId, initial, dictionaryPath }: RuleFormProps) {
  const { edited, fields } = initial
  const isRule = edited.kind === 'rule'
  const [book, setBook] = useState(initial.book)
  const [isChecking, setIsChecking] = useState(false)
  const form = useForm<RuleValues>({ initialValues: initial.values })
  const { values } = form
  const draft = { edited, values, book, fields }
  const reread = async () => {
    const present = await readBookForForm(dictionaryId)
    setBook(present)
    return { values: valuesOfEdited(edited, present) ?? form.getValues(), etag: present.version }
  }
  const snapshot = { values: initial.values, etag: initial.book.version }
  const conflict = useConflict(form, snapshot, reread, ruleWord)
  const save = useChange(saveRuleBook, conflict.showOrAnnounce)
  const client = useQueryClient()
  const { leaveTo } = useDirtyGuard(form.isDirty())
  const taken = book.rules.map(({ name }) => name).filter((name) => !isRule || name !== edited.name)
  const proposal = isRule ? proposedNameOf(values, taken) : ''
  /** What would be saved; null if it has faults, which are shown. */
  const checked = async () => {
    // A rule that is not complete has no proposal, and is refused for what it lacks.
    const sent = { ...draft, values: { ...values, name: values.name.trim() || proposal || 'Rule' } }
    setIsChecking(true)
    // The server checks as well, for example while the engine cannot be loaded.
    const found = await findFaults(sent).catch(() => ({}))
    setIsChecking(false)
    form.setErrors(found)
    return Object.keys(found).length === 0 ? sent : null
  }
  const leave = () => {
    // The page of the dictionary must not show the rules as they were.
    client.removeQueries({ queryKey: ruleBookQuery(dictionaryId).queryKey, exact: true })
    leaveTo(dictionaryPath)
  }
  const send = async () => {
    const sent = await checked()
    if (sent === null) return
    save.mutate(
      { params: { id: dictionaryId }, body: { ...bookWith(sent), version: conflict.etag } },
      { onSuccess: leave, onError: (failure) => form.setErrors(placeFaults(fieldErrorsOf(failure), sent)) },
    )
  }
  const tried = async () => {
    const sent = await checked()
    if (sent === null) return null
    const announced = { rule: ruleOf(sent.values), version: conflict.etag ?? null, onSaved: leave }
    return { body: bookWith(sent), announced: isRule ? announced : undefined }
  }
  const isSaving = save.isPending || isChecking
  return { form, draft, proposal, conflict, isSaving, send, tried }
}

type AboutProps = Pick<ReturnType<typeof useRuleForm>, 'form' | 'proposal'> & { isRule: boolean }

function About({ form, isRule, proposal }: AboutProps) {
  return (
    <>
      {isRule && (
        <TextInput
          label="Name"
          description="Optional. Reports name the rule by it."
          placeholder={proposal}
          maxLength={nameLimits.maxLength}
          {...form.getInputProps('name')}
        />
      )}
      <Textarea
        label="Description"
        description={isRule ? texts.descriptionHint : formMessages.optional}
        autosize
        {...form.getInputProps('description')}
      />
      {isRule && (
        <>
          <Radio.Group label="When a row does not meet it" {...form.getInputProps('severity')}>
            <div className={classes.choices}>
              <Radio value="error" label="Error" description="The file is not accepted." />
              <Radio value="warning" label="Warning" description="The file is accepted, with a warning." />
            </div>
          </Radio.Group>
          <DayField
            label="In force from"
            description="Optional. Before this day the rule only warns."
            clearable
            className={classes.day}
            {...form.getInputProps('from')}
          />
        </>
      )}
    </>
  )
}

const Fault = ({ text }: { text: string }) => (
  <p role="alert" className={classes.fault}>
    {text}
  </p>
)
