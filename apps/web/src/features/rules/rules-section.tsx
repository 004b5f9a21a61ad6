import { IconArrowsSort, IconCopy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { saveRuleBook } from '@veridict/contract/api/rule-book'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { conditionText, ruleSentence } from '@veridict/contract/notation/rule-sentence'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { Fragment, memo, useCallback, useState } from 'react'
import { paths } from '#app/paths.ts'
import { confirmDelete } from '#lib/forms/confirm-delete.tsx'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { useChange } from '#lib/http/query-of.ts'
import { LoadFailure, SkeletonRows } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton, TextButton, TextLink } from '#ui/forms/action-button.tsx'
import { Facts, Panel } from '#ui/layout/page.tsx'
import { RowActions } from '#ui/tables/data-table.tsx'
import { formatDay } from '#ui/text/format.ts'
import { Tag } from '#ui/text/tag.tsx'
import { ruleBookQuery, ruleFailuresQuery, type StoredBook } from './api.ts'
import { blankTextsPart, listPart, RuleOrder, TextDialog, type TextPart } from './book-dialogs.tsx'
import { RuleText } from './rule-text.tsx'
import classes from './rules-section.module.css'

export function RulesSection(props: Omit<RuleListProps, 'book'>) {
  const query = useQuery(ruleBookQuery(props.dictionaryId))
  const book = query.data
  if (book === undefined)
    return (
      <Panel title="Rules">
        {query.isError ? <LoadFailure isFramed what="The rules" query={query} /> : <SkeletonRows count={2} />}
      </Panel>
    )
  const { rules } = book
  const buttons = (
    <>
      {rules.length > 1 && (
        <ActionButton
          label="Reorder rules"
          variant="default"
          Icon={IconArrowsSort}
          onClick={() => openDialog(RuleOrder, { ...props, book })}
        />
      )}
      <ActionButton
        label="Add new rule"
        to={paths.ruleEdit(props.slug)}
        variant={rules.length === 0 ? 'filled' : 'default'}
        Icon={IconPlus}
      />
    </>
  )
  return (
    <Panel title="Rules" count={rules.length} actions={rules.length > 0 && buttons}>
      {rules.length === 0 ? (
        <div className={classes.frame}>
          <NoticeBlock
            picture="quiet"
            title="No rules between cells yet."
            text={
              <>
                {texts.noRules}
                <span className={classes.example}>
                  <RuleText sentence={texts.example} columns={texts.exampleColumns} />
                </span>
              </>
            }
            action={buttons}
          />
        </div>
      ) : (
        <RuleList {...props} book={book} />
      )}
      <BookFacts {...props} book={book} />
    </Panel>
  )
}

type RuleListProps = {
  dictionaryId: number
  book: StoredBook
  fields: readonly Field[]
  /** That of the dictionary, for the addresses of its rules. */
  slug: string
}

/** What else the book holds, and the ways to change it. */
function BookFacts({ dictionaryId, book, slug }: RuleListProps) {
  const { exempt, blankTexts, lists } = book
  const opener = (label: string, part: TextPart, what = label) => {
    const open = () => openDialog(TextDialog, { dictionaryId, book, part })
    return <TextButton label={label} inherit aria-label={what} onClick={open} />
  }
  return (
    <div className={classes.more}>
      <Facts
        facts={[
          {
            name: 'Exempt rows',
            value: exempt === null ? 'None' : `Rows in which ${conditionText(exempt.when)}`,
            action: (
              <TextLink
                label="Edit"
                to={paths.ruleEdit(slug, { part: 'exemption' })}
                inherit
                aria-label="Edit exempt rows"
              />
            ),
          },
          {
            name: 'Texts that count as blank',
            value: blankTexts.length === 0 ? 'None' : blankTexts.join(', '),
            action: opener('Edit', blankTextsPart, 'Edit texts that count as blank'),
          },
          {
            name: 'Reference lists',
            value:
              lists.length === 0
                ? texts.noLists
                : lists.map(({ name, rows }, index) => (
                    <Fragment key={name}>
                      {index > 0 && ', '}
                      {opener(name, listPart(name))} ({counted(rows.length, 'row')})
                    </Fragment>
                  )),
            action: opener('Add', listPart(null), 'Add a reference list'),
          },
        ]}
      />
    </div>
  )
}

/** See docs/BEHAVIOUR.md#rules-on-the-page. */
function RuleList({ dictionaryId, book: { rules, version }, fields, slug }: RuleListProps) {
  const { data: failures } = useQuery(ruleFailuresQuery(dictionaryId))
  const { mutate: save } = useChange(saveRuleBook)
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
    <div className={classes.list} tabIndex={-1}>
      <ol className={classes.frame} aria-label="Rules">
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.name}
            rule={rule}
            number={index + 1}
            today={today}
            fields={fields}
            slug={slug}
            failures={failures && texts.failures(failures.get(rule.name))}
            onDelete={askAndRemove}
          />
        ))}
      </ol>
      <p className={classes.note}>{texts.failuresNote}</p>
    </div>
  )
}

type RuleRowProps = Pick<RuleListProps, 'fields' | 'slug'> & {
  rule: RowRule
  number: number
  /** yyyy-MM-dd. */
  today: string
  /** undefined while they are not known. */
  failures: string | undefined
  onDelete: (rule: RowRule) => unknown
}

const RuleRow = memo(function RuleRow({
  rule,
  number,
  today,
  fields,
  slug,
  failures,
  onDelete,
}: RuleRowProps) {
  const { name, description, severity, from } = rule
  const editPath = paths.ruleEdit(slug, { rule: name })
  const isWarning = severity === 'warning' || (from !== undefined && from > today)
  // With its year, also today.
  const day = from === undefined ? null : formatDay(new Date(`${from}T12:00`), new Date(0))
  return (
    <li className={classes.row}>
      <span className={classes.number}>{writeCount(number)}</span>
      <div className={classes.text}>
        <TextLink label={name} to={editPath} c="inherit" inherit className={classes.name} />
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
          { label: 'Copy', Icon: IconCopy, to: paths.ruleEdit(slug, { copy: name }) },
          { label: 'Delete', Icon: IconTrash, onClick: () => onDelete(rule) },
          { label: 'Edit', Icon: IconPencil, to: editPath },
        ]}
      />
    </li>
  )
})
