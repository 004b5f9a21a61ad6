import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { comparedKind, holdsSeveral, misfitOf } from '@veridict/contract/model/check-rule-book'
import type { Field } from '@veridict/contract/model/field'
import type { ReferenceList, RuleTest } from '@veridict/contract/model/row-rule'
import { formOf, type Parts, type TestForm, testForms } from '@veridict/contract/notation/rule-sentence'
import { useRef, useState } from 'react'
import {
  changeForm,
  emptyTest,
  formLabel,
  type Joint,
  type PlacedFaults,
  type TestPart,
} from './rule-values.ts'
import { FormInputs, SlotInput } from './slot-inputs.tsx'
import classes from './test-rows.module.css'

export type TestRowsProps = {
  part: TestPart
  tests: RuleTest[]
  joint: Joint
  fields: readonly Field[]
  lists: readonly ReferenceList[]
  faults: PlacedFaults
  addLabel: string
  onChange: (tests: RuleTest[], joint: Joint) => void
}

/** Tests as rows of drop-downs, which read like the sentence that they make. */
export function TestRows({ part, tests, joint, faults, addLabel, onChange, ...context }: TestRowsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  // The row that was added last takes the focus; those that are there at first do not.
  const [added, setAdded] = useState<number | null>(null)
  const word = texts.joints[joint]
  return (
    <div className={classes.rows}>
      {tests.map((test, index) => (
        <div key={index} className={classes.row} role="group" aria-label={texts.line(part, index + 1)}>
          {index > 0 && (
            <div className={classes.joint}>
              {index === 1 && part === 'when' ? (
                <Select
                  size="xs"
                  aria-label="And, or"
                  data={Object.entries(texts.joints).map(([value, label]) => ({ value, label }))}
                  value={joint}
                  onChange={(chosen) => onChange(tests, chosen as Joint)}
                />
              ) : (
                word
              )}
            </div>
          )}
          <TestInputs
            {...context}
            part={part}
            test={test}
            fault={faults[`${part}[${index}]`]}
            isNew={index === added}
            onChange={(changed) => onChange(tests.with(index, changed), joint)}
          />
          <ActionIcon
            variant="subtle"
            color="gray.7"
            size={36}
            aria-label="Remove"
            onClick={() => {
              onChange(tests.toSpliced(index, 1), joint)
              addButton.current?.focus()
            }}
          >
            <IconX size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        ref={addButton}
        variant="default"
        size="sm"
        leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        onClick={() => {
          setAdded(tests.length)
          onChange([...tests, emptyTest], joint)
        }}
      >
        {tests.length === 0 ? addLabel : `${word} …`}
      </Button>
    </div>
  )
}

type TestInputsProps = Pick<TestRowsProps, 'part' | 'fields' | 'lists'> & {
  test: RuleTest
  fault: string | undefined
  isNew: boolean
  onChange: (test: RuleTest) => void
}

/** A column, or several; what is said of it; and what belongs to that. */
function TestInputs({ part, test, fault, isNew, onChange, ...context }: TestInputsProps) {
  const form = formOf(test)
  const own = context.fields.filter(({ name }) =>
    'columns' in test ? test.columns.includes(name) : test.column === name,
  )
  const change = (parts: Parts) => onChange({ ...test, ...parts } as RuleTest)
  const slot = { ...context, parts: test as Parts, test, field: own[0] }
  const chooseColumn = ({ column }: Parts) => {
    const field = context.fields.find(({ name }) => name === column)!
    // Values of another column rarely fit.
    const kept = own.length === 0 ? test : emptyTest
    const chosen = { ...kept, column } as RuleTest
    onChange(changeForm(chosen, misfitOf(form.is, field) === null ? form : testForms[0]))
  }
  const isSeveral = 'columns' in test
  return (
    <div className={classes.inputs}>
      <SlotInput
        {...slot}
        key={String(isSeveral)}
        name={isSeveral ? 'columns' : 'column'}
        kind={isSeveral ? 'ownColumns' : 'ownColumn'}
        fault={fault}
        autoFocus={isNew}
        onChange={isSeveral ? change : chooseColumn}
      />
      <Select
        size="sm"
        className={classes.slot}
        aria-label="What it must be"
        data={formChoices(part, form, own, context.lists.length > 0)}
        value={String(testForms.indexOf(form))}
        onChange={(index) => onChange(changeForm(test, testForms[Number(index)]))}
      />
      <FormInputs
        key={form.says}
        {...slot}
        form={form.says.replace(/\{(column|columns|only)\}/, '')}
        onChange={change}
      />
    </div>
  )
}

/** The forms that fit the chosen columns, and the present one. */
function formChoices(part: TestPart, present: TestForm, own: readonly Field[], hasLists: boolean) {
  const isDate = own.some((field) => comparedKind(field) === 'date')
  const isOffered = (form: TestForm) =>
    form === present ||
    (own.every((field) => misfitOf(form.is, field) === null) &&
      (form.is !== 'unique' || part === 'then') &&
      (form.is !== 'only' || own.some(holdsSeveral)) &&
      (hasLists || !form.says.includes('{list}')))
  const choices = (isOfOne: boolean) =>
    testForms
      .filter((form) => isOffered(form) && /\{(column|only)\}/.test(form.says) === isOfOne)
      .map((form) => ({
        value: String(testForms.indexOf(form)),
        label: formLabel(form.says) + ((isDate && texts.ofDates[form.is]) || ''),
      }))
  return [
    { group: 'This column', items: choices(true) },
    { group: 'Together with other columns', items: choices(false) },
  ]
}
