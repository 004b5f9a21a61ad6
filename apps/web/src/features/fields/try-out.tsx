import { Loader, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { TrialResult } from '@veridict/engine/try-field'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { FormAside } from '#ui/forms/form-page.tsx'
import { CellValue, Expectation } from '#ui/text/cell-value.tsx'
import { type FieldValues, isSameRule } from './field-values.ts'
import classes from './try-out.module.css'
import { type Trial, trialOf, useRuleEngine } from './use-rule-engine.ts'

/** A rule with this many characters compiles more slowly than a person types, so it waits for a pause. */
const LARGE_RULE = 50_000
const REST_MILLISECONDS = 400

/** With the engine's own code, as a file is checked. Typing a name or category renders nothing here. */
export const TryOut = memo(TryOutNow, (before, after) => isSameRule(before.values, after.values))

function TryOutNow({ values }: { values: FieldValues }) {
  const { engine, hasFailed } = useRuleEngine()
  const [rested] = useDebouncedValue(values, REST_MILLISECONDS)
  const settled = useDeferredValue(values.options.length < LARGE_RULE ? values : rested)
  const trial = useMemo(() => engine && trialOf(settled, engine), [settled, engine])
  return (
    <FormAside title="Try it">
      {trial !== null ? (
        <Bench trial={trial} />
      ) : hasFailed ? (
        <p className={classes.quiet}>{fieldMessages.trialNotLoaded}</p>
      ) : (
        <Loader size="sm" role="status" aria-label="Loading" />
      )}
    </FormAside>
  )
}

/** The value that is tried, and its result. */
const Bench = memo(function Bench({ trial }: { trial: Trial }) {
  // null until something is tried; '' is a value like any other: an empty cell.
  const [sample, setSample] = useState<string | null>(null)
  const tried = useDeferredValue(sample)
  const result = useMemo(
    () => (trial.kind === 'ready' && tried !== null ? trial.trial.check(tried) : null),
    [trial, tried],
  )
  return (
    <>
      <Textarea
        label="Sample value"
        description="Checked at once, as in an uploaded file."
        placeholder="Type a value"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={fileGuards.maxCellLength}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.sample }}
        value={sample ?? ''}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      <div role="status" className={classes.verdict}>
        {trial.kind === 'incomplete' ? (
          <Lacks sentences={trial.lacks} />
        ) : (
          result && (
            <Result result={result} isTrimmed={result.kind === 'accepted' && result.trimmed !== tried} />
          )
        )}
      </div>
      {trial.kind === 'ready' && (
        <Report
          expected={trial.trial.expected}
          value={result?.kind === 'refused' ? result.error.value : null}
        />
      )}
    </>
  )
})

/** Why no value can be tried yet. */
function Lacks({ sentences }: { sentences: string[] }) {
  return (
    <div className={classes.quiet}>
      {fieldMessages.trialIncomplete}
      <ul className={classes.lacks}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

function Result({ result, isTrimmed }: { result: TrialResult; isTrimmed: boolean }) {
  if (result.kind === 'refused') {
    return (
      <p className={classes.line} data-tone="bad">
        <IconCircleX {...icon} aria-hidden />
        <span>
          <strong>Refused.</strong> {result.error.error}
        </span>
      </p>
    )
  }
  return (
    <p className={classes.line} data-tone="good">
      <IconCircleCheck {...icon} aria-hidden />
      <span>
        <strong>Accepted</strong> as{' '}
        {result.trimmed === '' ? 'an empty cell.' : <CellValue value={result.trimmed} tone="good" />}
        {isTrimmed && <span className={classes.note}> Spaces around a value do not count.</span>}
      </span>
    </p>
  )
}

/** Value and expectation as in the error report; the expectation also while nothing is refused. */
function Report({ expected, value }: { expected: string; value: string | null }) {
  return (
    <dl className={classes.report}>
      {value !== null && (
        <>
          <dt>Value</dt>
          <dd className={classes.value}>
            <CellValue value={value} />
          </dd>
        </>
      )}
      <dt>Expected</dt>
      <dd>
        <Expectation text={expected} />
      </dd>
    </dl>
  )
}

const icon = { size: 19, stroke: 1.8 } as const
