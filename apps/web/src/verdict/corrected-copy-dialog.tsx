import { Button, Checkbox, Group } from '@mantine/core'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import { KEEP_ANSWER } from '@veridict/contract/messages/structure'
import { type Cause, type CausesBelow, correctableOf, isOfStructure } from '@veridict/contract/model/cause'
import {
  asRemembered,
  type RememberedAnswer,
  rememberedFor,
} from '@veridict/contract/model/remembered-answer'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { useEffect, useEffectEvent, useState } from 'react'
import { useFocusAfterWait } from '#ui/forms/busy-button.tsx'
import { useReturnFocus } from '#ui/forms/use-return-focus.ts'
import { TallModal } from '#ui/layout/tall-modal.tsx'
import { BeforeAfter, CausePlace } from './before-after.tsx'
import classes from './corrected-copy-dialog.module.css'
import { type AnswerMemory, correctedCells, type Correction, type WantedCauses } from './correction.ts'
import { Question } from './question.tsx'

/** What the dialog of every corrected copy needs, whatever makes the copy. */
export type CorrectedCopyChoice = {
  causes: Cause[]
  cellErrorCount: number
  /** The cause that is ticked, or whose question comes first, when the dialog opens; null for none. */
  firstTicked: string | null
  onClose: () => void
}

type CorrectedCopyDialogProps = CorrectedCopyChoice & {
  /** What the clerk gets, and what stays as it is. */
  lead: string
  memory: AnswerMemory
  /** Finds what lies below the structure that is chosen; null where that is refused. */
  findBelow?: (wanted: WantedCauses, signal: AbortSignal) => Promise<CausesBelow | null>
  /** The buttons that make a copy, the main one last. */
  actions: readonly { name: string; onMake: (correction: Correction) => void }[]
  /** The name of the action whose copy is being made; null while none is. */
  pending: string | null
  /** Why the copy was not made; null where nothing failed. */
  failure: string | null
}

/** Chooses the causes that a copy of the file corrects, and answers their questions. */
export function CorrectedCopyDialog({
  causes: firstCauses,
  cellErrorCount,
  firstTicked,
  lead,
  memory,
  findBelow,
  actions,
  pending,
  failure,
  onClose,
}: CorrectedCopyDialogProps) {
  useReturnFocus()
  const [below, setBelow] = useState<CausesBelow | null>(null)
  const { corrected = [], causes: found = firstCauses } = below ?? {}
  const causes = [...corrected, ...found.filter(({ id }) => corrected.every((done) => done.id !== id))]
  const [ticks, setTicks] = useState<Ticks>({ all: null, single: new Map() })
  // Of a structure nothing is counted, and all that is sure belongs together.
  const isTicked = ({ id, cells }: Cause) =>
    ticks.single.get(id) ?? ticks.all ?? (id === firstTicked || cells === 0)
  const { answers, setAnswer } = useAnswers(causes, memory)
  const button = useFocusAfterWait(pending !== null)
  const { yes: possible = [], choice = [], no: notPossible = [] } = Object.groupBy(causes, correctableOf)
  const questions = choice.toSorted(
    (one, other) => Number(other.id === firstTicked) - Number(one.id === firstTicked),
  )
  const chosen = causes.filter((cause) =>
    correctableOf(cause) === 'choice' ? answers.has(cause.id) : isTicked(cause) && possible.includes(cause),
  )
  const tickedCount = possible.filter(isTicked).length
  const changed = chosen.reduce((sum, cause) => sum + correctedCells(cause, answers), 0)
  const changing = chosen.filter(({ id }) => answers.get(id)?.choice !== KEEP_ANSWER)
  const structure = changing.map(({ id }) => id).filter(isOfStructure)
  const ofStructure = new Map([...answers].filter(([id]) => structure.includes(id)))
  const isLooking = useCausesBelow({ causes: structure, answers: ofStructure }, { findBelow, setBelow })
  const isUnknown = (cause: Cause) => correctedCells(cause, answers) === 0 && !corrected.includes(cause)
  const errors = below === null ? cellErrorCount : below.cellErrorCount
  const remaining = errors === null || isLooking || changing.some(isUnknown) ? null : errors - changed
  const correction = { causes: chosen, answers, changed, remaining }
  const choices = questions.length > 0 && (
    <ul className={classes.list}>
      {questions.map((cause) => (
        <Question
          key={cause.id}
          cause={cause}
          answer={answers.get(cause.id)}
          memory={memory}
          onAnswer={(answer) => setAnswer(cause, answer)}
        />
      ))}
    </ul>
  )
  const foot = (
    <div className={classes.foot}>
      <p role="status">
        {isLooking && texts.looking}
        {!isLooking && chosen.length === 0 && texts.nothingTicked}
        {!isLooking && chosen.length > 0 && texts.outcome(changed, remaining, below !== null)}
      </p>
      {failure !== null && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      <Group justify="flex-end" gap={10}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {actions.map(({ name, onMake }, index) => (
          <Button
            key={name}
            ref={index === actions.length - 1 ? button : undefined}
            variant={index === actions.length - 1 ? 'filled' : 'default'}
            disabled={chosen.length === 0 || isLooking || (pending !== null && pending !== name)}
            loading={pending === name}
            onClick={() => onMake(correction)}
          >
            {name}
          </Button>
        ))}
      </Group>
    </div>
  )
  return (
    <TallModal isOpen onClose={onClose} title={texts.title} width={760} foot={foot}>
      <div className={classes.choices}>
        <p className={classes.lead}>{lead}</p>
        {choices}
        {possible.length > 1 && (
          <Checkbox
            label={texts.tickAll}
            className={classes.all}
            checked={tickedCount === possible.length}
            indeterminate={tickedCount > 0 && tickedCount < possible.length}
            onChange={({ currentTarget }) => setTicks({ all: currentTarget.checked, single: new Map() })}
          />
        )}
        <ul className={classes.list}>
          {possible.map((cause) => (
            <Choice
              key={cause.id}
              cause={cause}
              isTicked={isTicked(cause)}
              onTick={(isOn) => setTicks({ ...ticks, single: new Map(ticks.single).set(cause.id, isOn) })}
            />
          ))}
        </ul>
        {notPossible.length > 0 && <NotPossible causes={notPossible} />}
      </div>
    </TallModal>
  )
}

/** What is ticked by one box for all causes, also those that appear later, and then by single boxes. */
type Ticks = { all: boolean | null; single: ReadonlyMap<string, boolean> }

type Search = Pick<CorrectedCopyDialogProps, 'findBelow'> & { setBelow: (below: CausesBelow | null) => void }

/** Finds what lies below the chosen causes of the structure when they change. Returns whether it is at it. */
function useCausesBelow(wanted: WantedCauses, { findBelow, setBelow }: Search): boolean {
  const { causes, answers } = wanted
  const key = JSON.stringify([
    causes,
    Array.from(answers, ([id, { choice, map = [] }]) => [id, choice, ...map]),
  ])
  const [found, setFound] = useState(causes.length === 0 ? key : '')
  const find = useEffectEvent(async (signal: AbortSignal) => {
    // The check of the copy will say what failed.
    const logError = (error: unknown) => {
      if (!signal.aborted) console.error(error)
    }
    const below = causes.length === 0 ? null : await findBelow?.(wanted, signal).catch(logError)
    if (signal.aborted) return
    if (below !== undefined) setBelow(below)
    setFound(key)
  })
  useEffect(() => {
    const abort = new AbortController()
    void find(abort.signal)
    return () => abort.abort()
  }, [key])
  return findBelow !== undefined && found !== key
}

/** The answers: what is given here, also that a question is left open, and what is remembered. */
function useAnswers(causes: readonly Cause[], { answers: remembered }: AnswerMemory) {
  const [given, setGiven] = useState<ReadonlyMap<string, readonly RememberedAnswer[]>>(new Map())
  const answers = new Map<string, CorrectionAnswer>()
  for (const cause of causes) {
    // Below another structure the same question may have other texts and choices.
    const answer = rememberedFor(cause, given.get(cause.id) ?? remembered)
    if (answer !== undefined) answers.set(cause.id, answer)
  }
  const setAnswer = (cause: Cause, answer: CorrectionAnswer | undefined) =>
    setGiven((before) => new Map(before).set(cause.id, answer ? [asRemembered(cause, answer)] : []))
  return { answers, setAnswer }
}

type ChoiceProps = { cause: Cause; isTicked: boolean; onTick: (isTicked: boolean) => void }

/** One cause to tick, with its first changes. */
function Choice({ cause, isTicked, onTick }: ChoiceProps) {
  const { message, cells, suggestions, passed, examples } = cause
  const untouched = cells - suggestions
  return (
    <li className={classes.choice} data-ticked={isTicked || undefined}>
      <Checkbox
        checked={isTicked}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        classNames={{ root: classes.tick, body: classes.tickBody, labelWrapper: classes.tickLabel }}
        label={
          <span className={classes.name}>
            <CausePlace cause={cause} />
            {cells > 0 && <span className={classes.count}>{texts.cells(suggestions)}</span>}
            <span className={classes.message}>{message}</span>
          </span>
        }
      />
      <ul className={classes.examples}>
        {examples
          .filter(({ suggestion }) => suggestion !== null)
          .map((example, index) => (
            <li key={index}>
              <BeforeAfter {...example} />
            </li>
          ))}
      </ul>
      {suggestions > 0 && untouched > 0 && <p className={classes.stay}>{texts.someStay(untouched)}</p>}
      {passed !== undefined && <p className={classes.stay}>{texts.passedToo(passed)}</p>}
    </li>
  )
}

/** The causes without any suggestion, and why they have none. */
function NotPossible({ causes }: { causes: Cause[] }) {
  return (
    <section className={classes.others} aria-label={texts.notPossible}>
      <h3>{texts.notPossible}</h3>
      <p>{texts.notPossibleWhy}</p>
      <ul>
        {causes.map((cause) => (
          <li key={cause.id}>
            <CausePlace cause={cause} />
            {cause.cells > 0 && <span className={classes.count}>{texts.cells(cause.cells)}</span>}
            <span className={classes.message}>
              {cause.message} {cause.advice}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
