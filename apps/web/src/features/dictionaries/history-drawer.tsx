import { Drawer, Loader } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { VersionItem } from '@veridict/contract/api/dictionary-versions'
import { ruleSummary } from '@veridict/contract/messages/rule-summary'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { writeCount } from '@veridict/contract/notation/count'
import { useId, useState } from 'react'
import { Loaded, LoadFailure, SkeletonRows } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { formatTime } from '#ui/text/format.ts'
import { versionQuery, versionsQuery } from './api.ts'
import classes from './history-drawer.module.css'

export type HistoryDrawerProps = { dictionary: { id: number; name: string }; onClose: () => void }

/** Newest first. */
export function HistoryDrawer({ dictionary, onClose }: HistoryDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={540}
      padding="lg"
      title="History"
      classNames={{ title: classes.title }}
      closeButtonProps={{ 'aria-label': 'Close history' }}
    >
      <p className={classes.lead}>
        Every change of {dictionary.name} since it was made. Files are checked against the version that was
        there when they were uploaded.
      </p>
      <Versions dictionaryId={dictionary.id} />
    </Drawer>
  )
}

function Versions({ dictionaryId }: { dictionaryId: number }) {
  const history = useInfiniteQuery(versionsQuery(dictionaryId))
  if (history.data === undefined) {
    if (history.isError) return <LoadFailure what="The history" query={history} />
    return <SkeletonRows count={4} />
  }
  // A change between two reads shifts the pages: what was the last line of one is the first of the next.
  const versions = history.data.pages
    .flatMap(({ data }) => data)
    .filter(({ revision }, index, all) => revision !== all[index - 1]?.revision)
  const total = history.data.pages.at(-1)?.totalCount ?? 0
  return (
    <>
      <ol className={classes.list} aria-label="Versions">
        {versions.map((version, index) => (
          <VersionLine
            key={version.revision}
            dictionaryId={dictionaryId}
            version={version}
            isPresent={index === 0}
          />
        ))}
      </ol>
      {history.hasNextPage && (
        <div className={classes.more}>
          <ActionButton
            label="Show earlier"
            variant="default"
            isBusy={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          />
          <span>
            {writeCount(versions.length)} of {writeCount(total)}
          </span>
        </div>
      )}
    </>
  )
}

type VersionLineProps = { dictionaryId: number; version: VersionItem; isPresent: boolean }

/** One change, in one line; it opens to show the fields as they were after it. */
function VersionLine({ dictionaryId, version, isPresent }: VersionLineProps) {
  const [isOpen, setIsOpen] = useState(false)
  const fieldsId = useId()
  const { revision, change, changedAt, changedBy, fieldCount } = version
  return (
    <li className={classes.line} data-present={isPresent || undefined}>
      <button
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? fieldsId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className={classes.change}>{change}</span>
        <span className={classes.facts}>
          <ChangedBy at={changedAt} by={changedBy} />
          <span className={classes.version}>
            Version {revision}
            {isPresent && ', present'}
          </span>
        </span>
        <IconChevronDown size={17} stroke={1.8} aria-hidden className={classes.chevron} />
      </button>
      {isOpen && (
        <div id={fieldsId} className={classes.fields}>
          {fieldCount === 0 ? <p>No fields</p> : <Fields dictionaryId={dictionaryId} revision={revision} />}
        </div>
      )}
    </li>
  )
}

function Fields({ dictionaryId, revision }: { dictionaryId: number; revision: number }) {
  const version = useQuery(versionQuery(dictionaryId, revision))
  return (
    <Loaded
      what="The fields"
      query={version}
      skeleton={<Loader size="sm" role="status" aria-label="Loading" />}
    >
      {(fields) => (
        // In the tab order, because a long list scrolls and a keyboard must reach it.
        <ol aria-label={`Fields of version ${revision}`} tabIndex={0}>
          {fields.map((field, index) => (
            <li key={index} className={classes.field}>
              <span className={classes.letter}>{columnLetter(index)}</span>
              <span className={classes.name}>{field.name}</span>
              <span className={classes.rule}>
                {ruleSummary(field.rule)}
                {!field.required && ', can be empty'}
                {field.identifiesRow && ', identifies the row'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

/** "21 Nov 2026, 10:12 by Ada Admin"; no name where the portal itself did it. */
export function ChangedBy({ at, by }: { at: string; by: string | null }) {
  return (
    <span>
      <time dateTime={at}>{formatTime(new Date(at))}</time>
      {by !== null && ` by ${by}`}
    </span>
  )
}
