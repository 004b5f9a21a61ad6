import { Anchor } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { saveRuleBook } from '@veridict/contract/api/rule-book'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { writeCount } from '@veridict/contract/notation/count'
import { ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { memo, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { useChange } from '#lib/http/use-change.ts'
import { RowActions } from '#ui/tables/row-actions.tsx'
import { useListFocus } from '#ui/tables/use-list-focus.ts'
import { formatDay } from '#ui/text/format.ts'
import { Tag } from '#ui/text/tag.tsx'
import { ruleFailuresQuery, type StoredBook } from './api.ts'
import classes from './rule-list.module.css'
import { RuleText } from './rule-text.tsx'

/** The address of the form: of a rule, of a copy of it, of the exemption, or of a new rule. */
export type RulePath = (edited?: { rule?: string; copy?: string; part?: 'exemption' }) => string

export type RuleListProps = {
  dictionaryId: number
  book: StoredBook
  fields: readonly Field[]
  path: RulePath
}

/** The rules in order, each as its sentence. See docs/BEHAVIOUR.md#rules-on-the-page. */
export function RuleList({ dictionaryId, book: { rules, version }, fields, path }: RuleListProps) {
  const { data: failures } = useQuery(ruleFailuresQuery(dictionaryId))
  const { mutate: save } = useChange(saveRuleBook)
  const list = useListFocus<HTMLDivElement>(rules)
  const [today] = useState(() => utcDay())
  const askAndRemove = useCallback(
    async (rule: RowRule) => {
      if (!(await confirmDelete(rule.name))) return
      const body = { rules: rules.filter((other) => other !== rule), version }
      save({ params: { id: dictionaryId }, body })
    },
    [save, dictionaryId, rules, version],
  )
  return (
    <div className={classes.list} {...list}>
      <ol className={classes.frame} aria-label="Rules">
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.name}
            rule={rule}
            number={index + 1}
            today={today}
            fields={fields}
            failures={failures && texts.failures(failures.get(rule.name))}
            copyPath={path({ copy: rule.name })}
            editPath={path({ rule: rule.name })}
            onDelete={askAndRemove}
          />
        ))}
      </ol>
      <p className={classes.note}>{texts.failuresNote}</p>
    </div>
  )
}

type RuleRowProps = Pick<RuleListProps, 'fields'> & {
  rule: RowRule
  number: number
  /** yyyy-MM-dd. */
  today: string
  /** undefined while they are not known. */
  failures: string | undefined
  copyPath: string
  editPath: string
  onDelete: (rule: RowRule) => unknown
}

const RuleRow = memo(function RuleRow({
  rule,
  number,
  today,
  fields,
  failures,
  copyPath,
  editPath,
  onDelete,
}: RuleRowProps) {
  const { name, description, severity, from } = rule
  const isWarning = severity === 'warning' || (from !== undefined && from > today)
  // With its year, also today.
  const day = from === undefined ? null : formatDay(new Date(`${from}T12:00`), new Date(0))
  return (
    <li className={classes.row}>
      <span className={classes.number}>{writeCount(number)}</span>
      <div className={classes.text}>
        <Anchor component={Link} to={editPath} c="inherit" inherit className={classes.name}>
          {name}
        </Anchor>
        <span className={classes.sentence}>
          <RuleText sentence={ruleSentence(rule)} columns={fields} />
        </span>
        {description !== undefined && <span className={classes.description}>{description}</span>}
      </div>
      <div className={classes.facts}>
        <Tag tone={isWarning ? 'warn' : 'brand'} text={texts.severity(severity, day, isWarning)} />
        <span>{failures}</span>
      </div>
      <RowActions
        of={name}
        actions={[
          { label: 'Copy', Icon: IconCopy, to: copyPath },
          { label: 'Delete', Icon: IconTrash, onClick: () => onDelete(rule) },
          { label: 'Edit', Icon: IconPencil, to: editPath },
        ]}
      />
    </li>
  )
})
