import { Anchor, Button, Group, Skeleton, VisuallyHidden } from '@mantine/core'
import { modals } from '@mantine/modals'
import { skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { deletionMessages } from '@veridict/contract/messages/deletions'
import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useId, useState } from 'react'
import { messageOf } from '#lib/http/call-failure.ts'
import classes from './confirm-delete.module.css'

/** Asks before a deletion. Names what is deleted and, with `readEffects`, lists what else changes. */
export function confirmDelete(name: string, readEffects?: ReadEffects): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isAgreed: boolean) => {
      resolve(isAgreed)
      modals.close(modalId)
    }
    const modalId = modals.open({
      title: dialogMessages.deleteTitle,
      size: 480,
      children: <DeletionQuestion name={name} readEffects={readEffects} onAnswer={answer} />,
      // Also runs after an answer; a settled promise ignores it.
      onClose: () => resolve(false),
    })
  })
}

/** Reads, when the question opens, what a deletion changes: one sentence for each effect. */
type ReadEffects = () => Promise<string[]>
type DeletionQuestionProps = {
  name: string
  readEffects?: ReadEffects
  onAnswer: (isAgreed: boolean) => void
}

/** Delete stays disabled until the effects are known. */
function DeletionQuestion({ name, readEffects, onAnswer }: DeletionQuestionProps) {
  const [isAnswered, setIsAnswered] = useState(false)
  const effects = useQuery({
    queryKey: ['deletion', useId()],
    queryFn: readEffects ?? skipToken,
    gcTime: 0,
    // A deletion refetches all mounted queries. This one is still mounted while the dialog fades.
    enabled: readEffects !== undefined && !isAnswered,
    meta: { quiet: true },
  })
  const answer = (isAgreed: boolean) => {
    setIsAnswered(true)
    onAnswer(isAgreed)
  }
  return (
    <>
      <p className={classes.text}>{dialogMessages.deleteText}</p>
      <strong className={classes.name}>{name}</strong>
      {readEffects && <Effects effects={effects} onRetry={() => void effects.refetch()} />}
      <Group justify="flex-end" gap={10} mt={24}>
        <Button variant="default" data-autofocus onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button disabled={readEffects && !effects.isSuccess} onClick={() => answer(true)}>
          Delete
        </Button>
      </Group>
    </>
  )
}

type EffectsProps = { effects: UseQueryResult<string[]>; onRetry: () => void }

function Effects({ effects: { data, error }, onRetry }: EffectsProps) {
  return (
    <div className={classes.effects} role="status">
      {data ? (
        <ul>
          {data.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : error ? (
        <>
          {messageOf(error) ?? deletionMessages.notKnown}{' '}
          <Anchor component="button" type="button" fw={600} fz="inherit" onClick={onRetry}>
            Try again
          </Anchor>
        </>
      ) : (
        <>
          <VisuallyHidden>{deletionMessages.lookingUp}</VisuallyHidden>
          <Skeleton height={12} mt={6} width="72%" />
          <Skeleton height={12} mt={14} mb={6} width="88%" />
        </>
      )}
    </div>
  )
}
