import { Anchor, Radio, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { nameLimits } from '@veridict/contract/limits'
import { formMessages } from '@veridict/contract/messages/forms'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import { type ReactNode, useMemo, useState } from 'react'
import { useConflict } from '#lib/forms/use-conflict.tsx'
import type { TryDraft } from '#lib/forms/tried-draft.ts'
import { useDirtyGuard } from '#lib/forms/use-dirty-guard.ts'
import { announceConflict } from '#lib/http/announce.ts'
import { fieldErrorsOf } from '#lib/http/call-failure.ts'
import { FormPage, FormSection } from '#ui/forms/form-page.tsx'
import { readBookForForm, type StoredBook, useSaveRuleBook } from './api.ts'
import { RuleText } from './rule-text.tsx'
import {
  bookWith,
  type EditedRule,
  type PlacedFaults,
  placeFaults,
  proposedName,
  type RuleValues,
  ruleWord,
  sentenceOf,
  type TestPart,
  valuesOfEdited,
} from './rule-values.ts'
import { TestRows } from './test-rows.tsx'
import { TryRule } from './try-rule.tsx'
import { TypedTests } from './typed-tests.tsx'
import { findFaults } from './use-rule-engine.ts'
import classes from './rule-form.module.css'

export type RuleFormProps = {
  dictionaryId: number
  fields: readonly Field[]
  edited: EditedRule
  initialValues: RuleValues
  /** An example or a copy can be saved as it is. */
  startsChanged: boolean
  /** The rules as they were read with `initialValues`. */
  initialBook: StoredBook
  dictionaryPath: string
  impact: TryDraft
}

/** A rule, or the exemption, as a sentence of drop-downs. See docs/BEHAVIOUR.md#rules-on-the-page. */
export function RuleForm({
  dictionaryId,
  fields,
  edited,
  initialValues,
  startsChanged,
  initialBook,
  dictionaryPath,
  impact,
}: RuleFormProps) {
  const [book, setBook] = useState(initialBook)
  const [isTyped, setIsTyped] = useState(false)
  /** The parts whose typed sentence cannot be read. */
  const [unread, setUnread] = useState<readonly TestPart[]>([])
  const form = useForm<RuleValues>({ initialValues })
  const reread = async () => {
    const present = await readBookForForm(dictionaryId)
    setBook(present)
    return { values: valuesOfEdited(edited, present) ?? form.getValues(), etag: present.version }
  }
  const conflict = useConflict(form, { values: initialValues, etag: initialBook.version }, reread, ruleWord)
  const save = useSaveRuleBook(
    dictionaryId,
    (_message, failure) => conflict.show(failure) || announceConflict(failure),
  )
  const { leaveTo } = useDirtyGuard(form.isDirty())
  const canSave = (startsChanged || form.isDirty()) && unread.length === 0
  const [isChecking, setIsChecking] = useState(false)
  const isRule = edited.kind === 'rule'
  const { values } = form
  const proposal = useMemo(
    () => (isRule ? proposedName(values, otherNames(edited, book)) : ''),
    [isRule, values, edited, book],
  )
  const show = (shown: PlacedFaults) => form.setErrors(shown)
  /** What would be saved; null if it has faults, which are shown. */
  const checked = async (typed: RuleValues) => {
    // A rule that is not complete has no proposal, and is refused for what it lacks.
    const named = { ...typed, name: typed.name.trim() || proposal || texts.rule }
    // The server checks as well, for example while the engine cannot be loaded.
    setIsChecking(true)
    const faults = await findFaults(edited, named, book, fields).catch(() => ({}))
    setIsChecking(false)
    if (Object.keys(faults).length === 0) return { named, parts: bookWith(edited, named, book) }
    show(faults)
    return null
  }
  const leave = () => leaveTo(dictionaryPath)
  const send = async (typed: RuleValues) => {
    const tried = await checked(typed)
    if (tried === null) return
    save.mutate(
      { ...tried.parts, version: conflict.etag },
      {
        onSuccess: leave,
        onError: (failure) => show(placeFaults(fieldErrorsOf(failure), edited, tried.named, book)),
      },
    )
  }
  const draft = async () => {
    const tried = await checked(form.getValues())
    if (tried === null) return null
    const announced = isRule
      ? { rule: tried.named.name, version: conflict.etag ?? null, onSaved: leave }
      : undefined
    return { body: tried.parts, announced }
  }
  const faults = form.errors as PlacedFaults
  const change = (part: TestPart, tests: RuleValues[TestPart]) => {
    form.setFieldValue(part, tests)
    form.setErrors(Object.fromEntries(Object.entries(faults).filter(([key]) => !key.startsWith(part))))
  }
  const context = { fields, lists: book.lists }
  const section = (part: TestPart, title: string, hint: string, addLabel: string) => (
    <FormSection isWide title={title}>
      <p className={classes.hint}>{hint}</p>
      {isTyped ? (
        <TypedTests
          part={part}
          title={title}
          values={values}
          onRead={(tests, joint) => {
            change(part, tests)
            if (part === 'when') form.setFieldValue('joint', joint)
          }}
          onReadable={(isReadable) =>
            setUnread((before) => [
              ...before.filter((other) => other !== part),
              ...(isReadable ? [] : [part]),
            ])
          }
        />
      ) : (
        <TestRows
          part={part}
          tests={values[part]}
          joint={part === 'when' ? values.joint : 'all'}
          onJoint={part === 'when' ? (joint) => form.setFieldValue('joint', joint) : null}
          context={context}
          faults={faults}
          addLabel={addLabel}
          onChange={(tests) => change(part, tests)}
        />
      )}
      {Object.entries(faults)
        // A test shows its own, unless it is typed.
        .filter(([key]) => (isTyped ? key.startsWith(part) : key === part))
        .map(([key, fault]) => (
          <p key={key} role="alert" className={classes.fault}>
            {fault}
          </p>
        ))}
    </FormSection>
  )
  return (
    <FormPage
      isLong
      cancelPath={dictionaryPath}
      canSave={canSave}
      isSaving={save.isPending || isChecking}
      beside={impact(draft, !canSave)}
      onSubmit={form.onSubmit((typed) => void send(typed))}
    >
      <Sentence edited={edited} values={values} fields={fields}>
        <Anchor
          component="button"
          type="button"
          fz={14}
          onClick={() => {
            setIsTyped(!isTyped)
            setUnread([])
          }}
        >
          {isTyped ? texts.chooseWords : texts.typeWords}
        </Anchor>
      </Sentence>
      {section('when', texts.ifTitle, isRule ? texts.ifHint : texts.exemptHint, texts.addCondition)}
      {isRule && (
        <>
          {section('then', texts.thenTitle, texts.thenHint, texts.addDemand)}
          {section('otherwise', texts.otherwiseTitle, texts.otherwiseHint, texts.addDemand)}
        </>
      )}
      <TryRule edited={edited} values={values} book={book} fields={fields} />
      <FormSection title={isRule ? texts.aboutTitle : texts.description}>
        {isRule && (
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            placeholder={proposal}
            maxLength={nameLimits.maxLength}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        )}
        <Textarea
          label={texts.description}
          description={texts.descriptionHint}
          autosize
          minRows={1}
          maxRows={6}
          {...form.getInputProps('description')}
        />
        {isRule && (
          <>
            <Radio.Group label={texts.severity} {...form.getInputProps('severity')}>
              <div className={classes.choices}>
                <Radio value="error" label={texts.error} description={texts.errorHint} />
                <Radio value="warning" label={texts.warning} description={texts.warningHint} />
              </div>
            </Radio.Group>
            <TextInput
              type="date"
              label={texts.from}
              description={`${formMessages.optional}. ${texts.fromHint}`}
              className={classes.day}
              {...form.getInputProps('from')}
            />
          </>
        )}
      </FormSection>
      {(conflict.note || faults.book !== undefined) && (
        <FormSection title="Meanwhile">
          {conflict.note || <p className={classes.fault}>{faults.book}</p>}
        </FormSection>
      )}
    </FormPage>
  )
}

const otherNames = (edited: EditedRule, { rules }: StoredBook): string[] =>
  rules.map(({ name }) => name).filter((name) => edited.kind === 'exemption' || name !== edited.name)

type SentenceProps = {
  edited: EditedRule
  values: RuleValues
  fields: readonly Field[]
  children: ReactNode
}

/** What the form says by now. */
function Sentence({ edited, values, fields, children }: SentenceProps) {
  const columns = useMemo(() => new Set(fields.map(({ name }) => name)), [fields])
  return (
    <section className={classes.sentence} aria-label={texts.sentence}>
      <p aria-live="polite">
        <RuleText sentence={sentenceOf(edited.kind, values)} columns={columns} />
      </p>
      {children}
    </section>
  )
}
