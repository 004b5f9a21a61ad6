import { Checkbox, Group } from '@mantine/core'
import { correctedMessages as texts } from '@veridict/contract/messages/report'
import { KEEP_ANSWER } from '@veridict/contract/messages/structure'
import {
  type Cause,
  type CausesBelow,
  correctableOf,
  isOfStructure,
  shownExamples,
} from '@veridict/contract/model/cause'
import {
  asRemembered,
  type RememberedAnswer,
  rememberedFor,
} from '@veridict/contract/model/remembered-answer'
import type { CorrectionAnswer } from '@veridict/contract/notation/correction-answers'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAnswerMemory } from '#lib/http/use-answer-memory.ts'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { TallModal } from '#ui/layout/tall-modal.tsx'
import { BeforeAfter, CausePlace, isChange } from '#verdict/before-after.tsx'
import { type CorrectedCopy, correctedCells, type Correction, passedWrong } from '#verdict/correction.ts'
import { correctFile } from '#workers/file-workers.ts'
import { type CopyAction, copyFailureText, type CopySource, useCopy } from './make-copy.ts'
import { Question } from './question.tsx'
import classes from './corrected-copy-dialog.module.css'

export type CorrectedCopyDialogProps = CopySource & {
  causes: Cause[]
  cellErrorCount: number
  /** The cause that is ticked, or whose question comes first, when the dialog opens; null for none. */
  firstTicked: string | null
  dictionaryId: number
  /** Why the file could not be read before; null where nothing failed. */
  unread?: Error | null
  /** The buttons, the main one last. The copy comes after `onClose`. */
  actions: readonly CopyAction[]
  onClose: () => void
}

/** Chooses the causes to correct, answers their questions, and makes the copy in the browser. */
export function CorrectedCopyDialog(props: CorrectedCopyDialogProps) {
  const { unread = null, actions, onClose } = props
  const memory = useAnswerMemory(props.dictionaryId)
  const copy = useCopy(props)
  const choices = useChoices(props, memory.answers)
  const { possible, questions, notPossible, correction, structure, isLooking, isTicked } = choices
  const { changed, remaining } = correction
  const isEmpty = correction.causes.length === 0
  const outcome = isEmpty ? texts.nothingTicked : texts.outcome(changed, remaining, structure.length > 0)
  const tickedCount = possible.filter(isTicked).length
  const make = ({ name, onCopy }: CopyAction) => {
    const onSuccess = (made: CorrectedCopy) => {
      onClose()
      onCopy(made)
    }
    copy.mutate({ name, onCopy, correction }, { onSuccess })
  }
  const foot = (
    <div className={classes.foot}>
      <p role="status">{isLooking ? texts.looking : outcome}</p>
      <Failure error={copy.error ?? unread} />
      <Group justify="flex-end" gap={10}>
        <ActionButton label="Cancel" variant="default" onClick={onClose} />
        {actions.map((action, index) => (
          <ActionButton
            key={action.name}
            label={action.name}
            variant={index === actions.length - 1 ? 'filled' : 'default'}
            disabled={isEmpty || isLooking || copy.isPending}
            isBusy={copy.isPending && copy.variables.name === action.name}
            onClick={() => make(action)}
          />
        ))}
      </Group>
    </div>
  )
  return (
    <TallModal onClose={onClose} title={texts.title} width={760} foot={foot}>
      <div className={classes.choices}>
        <p className={classes.lead}>{texts.lead}</p>
        {questions.length > 0 && (
          <ul className={classes.list}>
            {questions.map((cause) => (
              <Question
                key={cause.id}
                cause={cause}
                answer={correction.answers.get(cause.id)}
                memory={memory}
                onAnswer={(answer) => choices.setAnswer(cause, answer)}
              />
            ))}
          </ul>
        )}
        {possible.length > 1 && (
          <Checkbox
            label={texts.tickAll}
            className={classes.all}
            checked={tickedCount === possible.length}
            indeterminate={tickedCount > 0 && tickedCount < possible.length}
            onChange={({ currentTarget }) => choices.tickAll(currentTarget.checked)}
          />
        )}
        <ul className={classes.list}>
          {possible.map((cause) => (
            <Choice
              key={cause.id}
              cause={cause}
              isTicked={isTicked(cause)}
              onTick={(isOn) => choices.tick(cause, isOn)}
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

/** What can be chosen in the dialog, and what the choice corrects. */
function useChoices(
  { causes: firstCauses, cellErrorCount, firstTicked, ...source }: CorrectedCopyDialogProps,
  remembered: readonly RememberedAnswer[],
) {
  const [below, setBelow] = useState<CausesBelow | null>(null)
  const { corrected = [], causes: found = firstCauses } = below ?? {}
  const causes = [...corrected, ...found.filter(({ id }) => corrected.every((done) => done.id !== id))]
  const [ticks, setTicks] = useState<Ticks>({ all: null, single: new Map() })
  // Of a structure nothing is counted, and all that is sure belongs together.
  const isTicked = ({ id, cells }: Cause) =>
    ticks.single.get(id) ?? ticks.all ?? (id === firstTicked || cells === 0)
  const { answers, setAnswer } = useAnswers(causes, remembered)
  const { yes: possible = [], choice = [], no: notPossible = [] } = Object.groupBy(causes, correctableOf)
  const questions = choice.toSorted(
    (one, other) => Number(other.id === firstTicked) - Number(one.id === firstTicked),
  )
  const chosen = causes.filter((cause) =>
    correctableOf(cause) === 'choice' ? answers.has(cause.id) : isTicked(cause) && possible.includes(cause),
  )
  const fixed = chosen.reduce((sum, cause) => sum + correctedCells(cause, answers), 0)
  const changed = passedWrong(chosen).reduce((sum, [, cells]) => sum + cells, fixed)
  const changing = chosen.filter(({ id }) => answers.get(id)?.choice !== KEEP_ANSWER)
  const structure = changing.map(({ id }) => id).filter(isOfStructure)
  const ofStructure = new Map([...answers].filter(([id]) => structure.includes(id)))
  const isLooking = useCausesBelow({ causes: structure, answers: ofStructure }, source, setBelow)
  const isUnknown = (cause: Cause) => correctedCells(cause, answers) === 0 && !corrected.includes(cause)
  const errors = below === null ? cellErrorCount : below.cellErrorCount
  const remaining = errors === null || isLooking || changing.some(isUnknown) ? null : errors - fixed
  const correction = { causes: chosen, answers, changed, remaining }
  const tickAll = (all: boolean) => setTicks({ all, single: new Map() })
  const tick = ({ id }: Cause, isOn: boolean) =>
    setTicks({ ...ticks, single: new Map(ticks.single).set(id, isOn) })
  const state = { correction, structure, isLooking, isTicked }
  return { possible, questions, notPossible, ...state, tick, tickAll, setAnswer }
}

/** Passes on what is wrong below the chosen causes of the structure. Returns whether it still searches. */
function useCausesBelow(
  wanted: Pick<Correction, 'answers'> & { causes: string[] },
  { read }: CopySource,
  setBelow: (below: CausesBelow | null) => void,
): boolean {
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
    const find = async () => correctFile({ ...(await read(signal)), ...wanted, wants: 'below', signal })
    const result = causes.length === 0 ? { below: null } : await find().catch(logError)
    if (signal.aborted) return
    if (result) setBelow(result.below)
    setFound(key)
  })
  useEffect(() => {
    const abort = new AbortController()
    void find(abort.signal)
    return () => abort.abort()
  }, [key])
  return found !== key
}

/** The answers: what is given here, also that a question is left open, and what is remembered. */
function useAnswers(causes: readonly Cause[], remembered: readonly RememberedAnswer[]) {
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

const Failure = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert" className={classes.failure}>
      {copyFailureText(error)}
    </p>
  )

type ChoiceProps = { cause: Cause; isTicked: boolean; onTick: (isTicked: boolean) => void }

function Choice({ cause, isTicked, onTick }: ChoiceProps) {
  const { kind, message, cells, suggestions, passed } = cause
  const untouched = cells - suggestions
  // Of a whole row its values show what it is; the others show what changes.
  const examples = cause.columnPosition === null ? shownExamples(cause) : cause.examples.filter(isChange)
  const done = texts.done[kind]
  return (
    <li className={classes.choice} data-ticked={isTicked || undefined}>
      <Checkbox
        checked={isTicked}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        classNames={{ root: classes.tick, body: classes.tickBody, labelWrapper: classes.tickLabel }}
        label={
          <span className={classes.name}>
            <CausePlace cause={cause} />
            {suggestions > 0 && <span className={classes.count}>{texts.cells(suggestions)}</span>}
            <span className={classes.message}>{message}</span>
          </span>
        }
      />
      <ul className={classes.examples}>
        {examples.map((example, index) => (
          <li key={index}>
            <BeforeAfter {...example} />
          </li>
        ))}
      </ul>
      {done !== undefined && <p className={classes.stay}>{done}</p>}
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
