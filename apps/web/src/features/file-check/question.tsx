import { Checkbox, Select } from '@mantine/core'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import type { Cause, CauseChoice } from '@veridict/contract/model/cause'
import { answerFor, asRemembered, rememberedFor } from '@veridict/contract/model/remembered-answer'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { useEffect, useId, useState } from 'react'
import type { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { CellValue } from '#ui/text/cell-value.tsx'
import { BeforeAfter, CausePlace } from '#verdict/before-after.tsx'
import classes from './question.module.css'

type QuestionProps = {
  cause: Cause
  /** undefined as long as there is none. */
  answer: CorrectionAnswer | undefined
  memory: ReturnType<typeof useAnswerMemory>
  onAnswer: (answer: CorrectionAnswer | undefined) => void
}

/** The question of a cause, with what each answer does to some values. It can be left open. */
export function Question({ cause, answer, memory, onAnswer }: QuestionProps) {
  const { question, choices = [], values, kind, message } = cause
  const questionId = useId()
  const map = answer?.map ?? new Map<string, string>()
  const setItem = (value: string, item: string | undefined) => {
    const others = [...map].filter(([from]) => from !== value)
    const entries = item === undefined ? others : [...others, [value, item] as const]
    onAnswer(entries.length === 0 ? undefined : { map: new Map(entries) })
  }
  // A column of the file is one column of the dictionary; several values may be the same item.
  const isFree = (choice: CauseChoice, value: string) =>
    kind !== 'columnsRenamed' || [...map].every(([from, to]) => from === value || to !== choice.value)
  return (
    <li className={classes.question} data-answered={answer !== undefined || undefined} data-question={kind}>
      <p className={classes.place}>
        <CausePlace cause={cause} />
        <span>{message}</span>
      </p>
      <p id={questionId} className={classes.words}>
        {question}
      </p>
      {values === undefined ? (
        <Answers
          labelledBy={questionId}
          choices={choices}
          isList={choices.length > MOST_BUTTONS}
          chosen={answer?.choice}
          onChoose={(choice) => onAnswer(choice === undefined ? undefined : { choice })}
        />
      ) : (
        <ul className={classes.values}>
          {values.map(({ value, cells, samples = [], likely }, index) => (
            <li key={value}>
              <span id={`${questionId}-${index}`}>
                <CellValue value={value} />
                {cells > 0 && <span className={classes.count}>{texts.cells(cells)}</span>}
              </span>
              {(samples.length > 0 || likely !== undefined) && (
                <span className={classes.samples}>
                  {samples.join(' · ')} {likely !== undefined && <b>{texts.likely(likely)}</b>}
                </span>
              )}
              <Answers
                labelledBy={`${questionId} ${questionId}-${index}`}
                choices={choices.filter((choice) => isFree(choice, value))}
                isList={choices.length > MOST_BUTTONS}
                chosen={map.get(value)}
                onChoose={(item) => setItem(value, item)}
              />
            </li>
          ))}
        </ul>
      )}
      {answer !== undefined && !isOfRows(cause) && (
        <RememberBox cause={cause} answer={answer} memory={memory} onAnswer={onAnswer} />
      )}
    </li>
  )
}

/** What single rows of a file are says nothing of the next one. */
const isOfRows = ({ id }: Cause): boolean => id.startsWith('rows.')

type RememberBoxProps = QuestionProps & { answer: CorrectionAnswer }

/** Remembers the answer for the next file at once, or forgets it. */
function RememberBox({ cause, answer, memory, onAnswer }: RememberBoxProps) {
  const { choice, map } = answer
  const known = rememberedFor(cause, memory.answers)
  const isSaved =
    known !== undefined &&
    known.choice === choice &&
    [...(map ?? [])].every(([value, item]) => known.map?.get(value) === item)
  // Shown at once: the call takes a moment.
  const [wanted, setWanted] = useState<boolean>()
  useEffect(() => setWanted(undefined), [isSaved])
  const save = (isWanted: boolean) => {
    setWanted(isWanted)
    // It stays, also where it was chosen only because it was remembered.
    onAnswer(answer)
    const id = answerFor(cause, memory.answers)?.id
    const onFailure = () => setWanted(undefined)
    if (isWanted) memory.remember(asRemembered(cause, answer), onFailure)
    else if (id === undefined) onFailure()
    else memory.forget(id, onFailure)
  }
  return (
    <Checkbox
      mt="sm"
      size="sm"
      label={texts.remember}
      checked={wanted ?? isSaved}
      onChange={({ currentTarget }) => save(currentTarget.checked)}
    />
  )
}

/** More answers than these are a list to choose from. */
const MOST_BUTTONS = 6

type AnswersProps = {
  labelledBy: string
  choices: readonly CauseChoice[]
  /** Does not change while answers make others needless: what is to be clicked next would move. */
  isList: boolean
  chosen: string | undefined
  /** Called with undefined where an answer is taken back. */
  onChoose: (value: string | undefined) => void
}

function Answers({ labelledBy, choices, isList, chosen, onChoose }: AnswersProps) {
  if (isList)
    return (
      <Select
        size="sm"
        aria-labelledby={labelledBy}
        placeholder={texts.leftOpen}
        data={choices.map(({ value, label }) => ({ value, label }))}
        value={chosen ?? null}
        onChange={(value) => onChoose(value ?? undefined)}
        searchable
        clearable
        allowDeselect
      />
    )
  return (
    <div role="group" aria-labelledby={labelledBy} className={classes.answers}>
      {choices.map(({ value, label, examples = [] }) => (
        <div key={value}>
          <ActionButton
            label={label}
            size="sm"
            variant={chosen === value ? 'light' : 'default'}
            aria-pressed={chosen === value}
            onClick={() => onChoose(chosen === value ? undefined : value)}
          />
          {examples.map((example) => (
            <BeforeAfter key={example.value} {...example} />
          ))}
        </div>
      ))}
    </div>
  )
}
