import { Button } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { writeCount } from '@veridict/contract/notation/count'
import { ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { memo, useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { PlainRowActions, SharedTooltip } from '#ui/tables/row-actions.tsx'
import { useListFocus } from '#ui/tables/use-list-focus.ts'
import { formatDay } from '#ui/text/format.ts'
import { Tag } from '#ui/text/tag.tsx'
import { ruleFailuresQuery, type StoredBook, useSaveRuleBook } from './api.ts'
import { exampleRule } from './rule-values.ts'
import { RuleText } from './rule-text.tsx'
import classes from './rule-list.module.css'

/** Addresses of the form of a rule. */
export type RulePaths = {
  add: string
  example: string
  exemption: string
  edit: (name: string) => string
  copy: (name: string) => string
}

export type RuleListProps = {
  dictionaryId: number
  book: StoredBook
  fields: readonly Field[]
  paths: RulePaths
}

/** The rules in order, each as its sentence. See docs/BEHAVIOUR.md#rules-on-the-page. */
export function RuleList({ dictionaryId, book, fields, paths }: RuleListProps) {
  const columns = useMemo(() => new Set(fields.map(({ name }) => name)), [fields])
  const { data: failures } = useQuery(ruleFailuresQuery(dictionaryId))
  const { mutate: save } = useSaveRuleBook(dictionaryId)
  const list = useListFocus<HTMLDivElement>(book.rules)
  const { rules, version } = book
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const askAndRemove = useCallback(
    async ({ name }: RowRule) => {
      if (await confirmDelete(name)) save({ rules: rules.filter((other) => other.name !== name), version })
    },
    [save, rules, version],
  )
  if (rules.length === 0)
    return (
      <div className={classes.frame} {...list}>
        <NoRules fields={fields} columns={columns} paths={paths} />
      </div>
    )
  return (
    <SharedTooltip>
      <div className={classes.list} {...list}>
        <ol className={classes.frame} aria-label={texts.title}>
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.name}
              rule={rule}
              number={index + 1}
              today={today}
              columns={columns}
              failures={failures && (failures.get(rule.name) ?? null)}
              paths={paths}
              onDelete={askAndRemove}
            />
          ))}
        </ol>
        <p className={classes.note}>{texts.failuresNote}</p>
      </div>
    </SharedTooltip>
  )
}

type NoRulesProps = { fields: readonly Field[]; columns: ReadonlySet<string>; paths: RulePaths }

/** Teaches by one example, of the dictionary's own columns. */
function NoRules({ fields, columns, paths }: NoRulesProps) {
  const example = exampleRule(fields)
  return (
    <NoticeBlock
      picture={<SheetPicture />}
      title={texts.none}
      text={
        <>
          {texts.noneText}
          {example && (
            <span className={classes.example}>
              <RuleText sentence={ruleSentence(example)} columns={columns} />
            </span>
          )}
        </>
      }
      action={
        <div className={classes.buttons}>
          <Button component={Link} to={paths.add}>
            {texts.addFirst}
          </Button>
          {example && (
            <Button variant="default" component={Link} to={paths.example}>
              {texts.useExample}
            </Button>
          )}
        </div>
      }
    />
  )
}

type RuleRowProps = {
  rule: RowRule
  number: number
  /** yyyy-MM-dd, as the server compares days. */
  today: string
  columns: ReadonlySet<string>
  /** null if it did not fail; undefined while that is not known. */
  failures: { cells: number; files: number } | null | undefined
  paths: RulePaths
  onDelete: (rule: RowRule) => unknown
}

const RuleRow = memo(function RuleRow({
  rule,
  number,
  today,
  columns,
  failures,
  paths,
  onDelete,
}: RuleRowProps) {
  const { name, description } = rule
  return (
    <li className={classes.row}>
      <span className={classes.number}>{writeCount(number)}</span>
      <div className={classes.text}>
        <span className={classes.name}>{name}</span>
        <span className={classes.sentence}>
          <RuleText sentence={ruleSentence(rule)} columns={columns} />
        </span>
        {description !== undefined && <span className={classes.description}>{description}</span>}
      </div>
      <div className={classes.facts}>
        <Force rule={rule} today={today} />
        {failures !== undefined && (
          <span className={classes.failures} data-none={failures === null || undefined}>
            {failures === null ? texts.noFailures : texts.failures(failures.cells, failures.files)}
          </span>
        )}
      </div>
      <PlainRowActions
        of={name}
        actions={[
          { label: texts.copy, Icon: IconCopy, to: paths.copy(name) },
          { label: 'Delete', Icon: IconTrash, onClick: () => onDelete(rule) },
          { label: 'Edit', Icon: IconPencil, to: paths.edit(name) },
        ]}
      />
    </li>
  )
})

/** What a row that does not meet the rule is, and since when. */
function Force({ rule: { severity, from }, today }: { rule: RowRule; today: string }) {
  const day = from === undefined ? '' : formatDay(new Date(`${from}T12:00:00`))
  if (severity === 'warning') return <Tag tone="warn" text={texts.warning} />
  if (from === undefined) return <Tag tone="brand" text={texts.error} />
  return from > today ? (
    <Tag tone="warn" text={texts.errorFrom(day)} />
  ) : (
    <Tag tone="brand" text={texts.errorSince(day)} />
  )
}
