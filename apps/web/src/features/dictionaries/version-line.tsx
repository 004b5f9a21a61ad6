import { Loader } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { VersionItem } from '@veridict/contract/api/dictionary-versions'
import type { Rule } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { useId, useState } from 'react'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { versionQuery } from './api.ts'
import { ChangedBy } from './changed-by.tsx'
import classes from './version-line.module.css'

/** A rule in a few words. */
export type SummarizeRule = (rule: Rule) => string
export type VersionLineProps = {
  dictionaryId: number
  version: VersionItem
  isPresent: boolean
  summarizeRule: SummarizeRule
}

/** One change, in one line; it opens to show the fields as they were after it. */
export function VersionLine({ dictionaryId, version, isPresent, summarizeRule }: VersionLineProps) {
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
          {fieldCount === 0 ? (
            <p>No fields</p>
          ) : (
            <Fields dictionaryId={dictionaryId} revision={revision} summarizeRule={summarizeRule} />
          )}
        </div>
      )}
    </li>
  )
}

function Fields({
  dictionaryId,
  revision,
  summarizeRule,
}: {
  dictionaryId: number
  revision: number
  summarizeRule: SummarizeRule
}) {
  const version = useQuery(versionQuery(dictionaryId, revision))
  if (version.data === undefined) {
    return version.isError ? (
      <LoadFailure what="The fields" query={version} />
    ) : (
      <Loader size="sm" role="status" aria-label="Loading" />
    )
  }
  return (
    // In the tab order, because a long list scrolls and a keyboard must reach it.
    <ol aria-label={`Fields of version ${revision}`} tabIndex={0}>
      {version.data.map((field, index) => (
        <li key={index} className={classes.field}>
          <span className={classes.letter}>{columnLetter(index)}</span>
          <span className={classes.name}>{field.name}</span>
          <span className={classes.rule}>
            {summarizeRule(field.rule)}
            {!field.required && ', can be empty'}
            {field.identifiesRow && ', identifies the row'}
          </span>
        </li>
      ))}
    </ol>
  )
}
