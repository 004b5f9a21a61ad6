import { Anchor } from '@mantine/core'
import { IconArrowsSort, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ruleListMessages as texts } from '@veridict/contract/messages/row-rules'
import { counted } from '@veridict/contract/notation/count'
import { conditionText } from '@veridict/contract/notation/rule-sentence'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import type { TryDraft } from '#lib/forms/tried-draft.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { SkeletonRows } from '#ui/tables/skeleton-rows.tsx'
import { TextButton } from '#ui/text/text-button.tsx'
import { ruleBookQuery } from './api.ts'
import { type BookDialog, openedDialog } from './book-dialogs.tsx'
import { RuleList, type RuleListProps } from './rule-list.tsx'
import classes from './rule-list.module.css'
import { RuleText } from './rule-text.tsx'

/** The rules between the cells of a dictionary, and what they refer to. */
export function RulesSection({ impact, ...props }: Omit<RuleListProps, 'book'> & { impact: TryDraft }) {
  const query = useQuery(ruleBookQuery(props.dictionaryId))
  const [dialog, setDialog] = useState<BookDialog | null>(null)
  const book = query.data
  if (book === undefined)
    return (
      <Panel title="Rules">
        {query.isError ? <LoadFailure isFramed what="The rules" query={query} /> : <SkeletonRows count={2} />}
      </Panel>
    )
  const { rules, exempt, blankTexts, lists } = book
  const opener = (label: string, opened: BookDialog, what = label) => (
    <TextButton inherit aria-label={what} onClick={() => setDialog(opened)}>
      {label}
    </TextButton>
  )
  const buttons = (
    <>
      {rules.length > 1 && (
        <ActionButton
          label="Reorder rules"
          variant="default"
          Icon={IconArrowsSort}
          onClick={() => setDialog({ kind: 'order' })}
        />
      )}
      <ActionButton
        label="Add new rule"
        to={props.path()}
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
            picture={<SheetPicture />}
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
      <div className={classes.more}>
        <Facts
          facts={[
            {
              name: 'Exempt rows',
              value: exempt === null ? 'None' : `Rows in which ${conditionText(exempt.when)}`,
              action: (
                <Anchor
                  component={Link}
                  to={props.path({ part: 'exemption' })}
                  inherit
                  aria-label="Edit exempt rows"
                >
                  Edit
                </Anchor>
              ),
            },
            {
              name: 'Texts that count as blank',
              value: blankTexts.length === 0 ? 'None' : blankTexts.join(', '),
              action: opener('Edit', { kind: 'blankTexts' }, 'Edit texts that count as blank'),
            },
            {
              name: 'Reference lists',
              value:
                lists.length === 0
                  ? texts.noLists
                  : lists.map(({ name, rows }, index) => (
                      <Fragment key={name}>
                        {index > 0 && ', '}
                        {opener(name, { kind: 'list', name })} ({counted(rows.length, 'row')})
                      </Fragment>
                    )),
              action: opener('Add', { kind: 'list', name: null }, 'Add a reference list'),
            },
          ]}
        />
      </div>
      {dialog && openedDialog(dialog, { ...props, impact, book, onClose: () => setDialog(null) })}
    </Panel>
  )
}
