import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import { counted } from '@veridict/contract/notation/count'
import { conditionText } from '@veridict/contract/notation/rule-sentence'
import { useState } from 'react'
import { Link } from 'react-router'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { ruleBookQuery, type StoredBook } from './api.ts'
import { BlankTextsDialog, ListDialog } from './book-dialogs.tsx'
import { RuleList, type RulePaths } from './rule-list.tsx'
import classes from './rule-list.module.css'

export type RulesSectionProps = { dictionaryId: number; fields: readonly Field[]; paths: RulePaths }

/** The rules between the cells of a dictionary, and what they refer to. */
export function RulesSection({ dictionaryId, fields, paths }: RulesSectionProps) {
  const book = useQuery(ruleBookQuery(dictionaryId))
  const { data } = book
  return (
    <Panel
      title={texts.title}
      count={data?.rules.length}
      actions={
        data !== undefined &&
        data.rules.length > 0 && (
          <Button
            variant="default"
            component={Link}
            to={paths.add}
            leftSection={<IconPlus size={18} stroke={2} aria-hidden />}
          >
            {texts.add}
          </Button>
        )
      }
    >
      {data !== undefined ? (
        <>
          <RuleList dictionaryId={dictionaryId} book={data} fields={fields} paths={paths} />
          <Others dictionaryId={dictionaryId} book={data} exemptionPath={paths.exemption} />
        </>
      ) : book.isError ? (
        <LoadFailure isFramed what="The rules" query={book} />
      ) : (
        <SkeletonRows count={2} />
      )}
    </Panel>
  )
}

type OthersProps = { dictionaryId: number; book: StoredBook; exemptionPath: string }

/** The exemption, the texts that count as blank, and the reference lists. */
function Others({ dictionaryId, book, exemptionPath }: OthersProps) {
  /** A list by its name, '' for a new one. */
  const [dialog, setDialog] = useState<{ list: string } | 'blankTexts' | null>(null)
  const close = () => setDialog(null)
  const opener = (label: string, opened: typeof dialog) => (
    <Anchor component="button" type="button" inherit onClick={() => setDialog(opened)}>
      {label}
    </Anchor>
  )
  const { exempt, blankTexts, lists } = book
  return (
    <div className={classes.more}>
      <Facts
        facts={[
          {
            name: texts.exemptRows,
            value: exempt === null ? texts.noneExempt : texts.exemptIf(conditionText(exempt.when)),
            action: (
              <Anchor component={Link} to={exemptionPath} inherit aria-label={`Edit ${texts.exemptRows}`}>
                Edit
              </Anchor>
            ),
          },
          {
            name: texts.blankTexts,
            value: blankTexts.length === 0 ? texts.noBlankTexts : texts.blankTextsAre(blankTexts),
            action: opener('Edit', 'blankTexts'),
          },
          {
            name: texts.lists,
            value:
              lists.length === 0 ? (
                texts.noLists
              ) : (
                <ul className={classes.lists}>
                  {lists.map(({ name, rows }) => (
                    <li key={name}>
                      {opener(name, { list: name })} <span>{counted(rows.length, 'row')}</span>
                    </li>
                  ))}
                </ul>
              ),
            action: opener('Add', { list: '' }),
          },
        ]}
      />
      {dialog === 'blankTexts' && (
        <BlankTextsDialog dictionaryId={dictionaryId} book={book} onClose={close} />
      )}
      {dialog !== null && typeof dialog === 'object' && (
        <ListDialog dictionaryId={dictionaryId} book={book} name={dialog.list} onClose={close} />
      )}
    </div>
  )
}
