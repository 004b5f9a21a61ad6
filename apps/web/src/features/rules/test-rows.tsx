import { ActionIcon, Button, MultiSelect, NativeSelect, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { comparedKind, holdsSeveral, misfitOf } from '@veridict/contract/model/check-rule-book'
import type { Field } from '@veridict/contract/model/field'
import type { RuleTest } from '@veridict/contract/model/row-rule'
import { formOf, type TestForm, testForms } from '@veridict/contract/notation/rule-sentence'
import { useId, useRef, useState } from 'react'
import {
  changeForm,
  emptyTest,
  formLabel,
  type PlacedFaults,
  type RuleValues,
  type TestPart,
} from './rule-values.ts'
import { FormInputs, MOST_OPTIONS, type RuleContext } from './slot-inputs.tsx'
import classes from './test-rows.module.css'

export type TestRowsProps = {
  part: TestPart
  tests: RuleTest[]
  joint: RuleValues['joint']
  /** null where tests are always joined by 'and'. */
  onJoint: ((joint: RuleValues['joint']) => void) | null
  context: RuleContext
  faults: PlacedFaults
  addLabel: string
  onChange: (tests: RuleTest[]) => void
}

/** Tests as rows of drop-downs, which read like the sentence that they make. */
export function TestRows({
  part,
  tests,
  joint,
  onJoint,
  context,
  faults,
  addLabel,
  onChange,
}: TestRowsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  // The row that was added last takes the focus; those that are there at first do not.
  const [added, setAdded] = useState<number | null>(null)
  const remove = (index: number) => {
    onChange(tests.toSpliced(index, 1))
    addButton.current?.focus()
  }
  const word = joint === 'any' ? texts.or : texts.and
  return (
    <div className={classes.rows}>
      {tests.map((test, index) => (
        <div key={index} className={classes.row} role="group" aria-label={texts.test(part, index + 1)}>
          {index > 0 && (
            <div className={classes.joint}>
              {index === 1 && onJoint !== null ? (
                <NativeSelect
                  size="xs"
                  aria-label={texts.joint}
                  data={[
                    { value: 'all', label: texts.and },
                    { value: 'any', label: texts.or },
                  ]}
                  value={joint}
                  onChange={(event) => onJoint(event.currentTarget.value as RuleValues['joint'])}
                />
              ) : (
                word
              )}
            </div>
          )}
          <TestInputs
            part={part}
            test={test}
            context={context}
            fault={faults[`${part}[${index}]`]}
            isNew={index === added}
            onChange={(changed) => onChange(tests.with(index, changed))}
          />
          <ActionIcon
            variant="subtle"
            color="gray.7"
            size={36}
            className={classes.remove}
            aria-label={texts.remove}
            onClick={() => remove(index)}
          >
            <IconX size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        ref={addButton}
        variant="default"
        size="sm"
        className={classes.add}
        leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        onClick={() => {
          setAdded(tests.length)
          onChange([...tests, emptyTest])
        }}
      >
        {tests.length === 0 ? addLabel : texts.addFurther(word)}
      </Button>
    </div>
  )
}

type TestInputsProps = {
  part: TestPart
  test: RuleTest
  context: RuleContext
  fault: string | undefined
  isNew: boolean
  onChange: (test: RuleTest) => void
}

/** A column, or several; what is said of it; and what belongs to that. */
function TestInputs({ part, test, context, fault, isNew, onChange }: TestInputsProps) {
  const faultId = useId()
  const { fields } = context
  const form = formOf(test)
  const names = 'columns' in test ? test.columns : [test.column]
  const own = fields.filter(({ name }) => names.includes(name))
  const described = fault === undefined ? {} : { error: true, 'aria-describedby': faultId }
  const columns = {
    size: 'sm',
    className: classes.column,
    data: fields.map(({ name }) => name),
    searchable: true,
    limit: MOST_OPTIONS,
    nothingFoundMessage: texts.nothingFound,
    autoFocus: isNew,
    ...described,
  } as const
  const chooseColumn = (column: string) => {
    const field = fields.find(({ name }) => name === column)!
    const isFirst = !('column' in test) || test.column === ''
    const fits = misfitOf(test.is, field) === null
    const kept = isFirst ? { ...test, column } : { ...emptyTest, column }
    onChange(changeForm(kept as RuleTest, fits ? form : testForms[0]))
  }
  return (
    <div className={classes.inputs}>
      {'columns' in test ? (
        <MultiSelect
          {...columns}
          aria-label={texts.columns}
          placeholder={names.length === 0 ? texts.chooseColumns : undefined}
          value={names}
          onChange={(chosen) => onChange({ ...test, columns: chosen })}
        />
      ) : (
        <Select
          {...columns}
          aria-label={texts.column}
          placeholder={texts.chooseColumn}
          allowDeselect={false}
          value={test.column === '' ? null : test.column}
          onChange={(column) => column !== null && chooseColumn(column)}
        />
      )}
      <Select
        size="sm"
        className={classes.form}
        aria-label={texts.form}
        data={formChoices(part, form, own, context)}
        allowDeselect={false}
        value={String(testForms.indexOf(form))}
        onChange={(index) => onChange(changeForm(test, testForms[Number(index)]))}
      />
      <FormInputs
        form={form.says.replace(/\{(column|columns|only)\}/, '')}
        parts={test}
        test={test}
        field={own[0]}
        context={context}
        onChange={(parts) => onChange({ ...test, ...parts } as RuleTest)}
      />
      {fault !== undefined && (
        <p id={faultId} className={classes.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

/** The forms that fit the chosen columns, and the present one. */
function formChoices(part: TestPart, present: TestForm, own: readonly Field[], { lists }: RuleContext) {
  const isSeveral = own.some(holdsSeveral)
  const isDate = own.some((field) => comparedKind(field) === 'date')
  const isOffered = (form: TestForm) =>
    form === present ||
    (own.every((field) => misfitOf(form.is, field) === null) &&
      (form.is !== 'unique' || part === 'then') &&
      (form.is !== 'only' || isSeveral) &&
      (!form.says.includes('{list}') || lists.length > 0))
  const choice = (form: TestForm) => ({
    value: String(testForms.indexOf(form)),
    label: formLabel(form.says) + ((isDate && texts.ofDates[form.is]) || ''),
  })
  const choices = (isOfOne: boolean) =>
    testForms.filter((form) => isOffered(form) && form.says.includes('{column}') === isOfOne).map(choice)
  return [
    { group: texts.ofOneColumn, items: choices(true) },
    { group: texts.ofColumns, items: choices(false) },
  ]
}
