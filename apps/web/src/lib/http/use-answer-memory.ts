import { useQuery } from '@tanstack/react-query'
import { forgetAnswer, listAnswers, rememberAnswer } from '@veridict/contract/api/answers'
import type { RememberedAnswer } from '@veridict/contract/model/remembered-answer'
import { queryOf } from './query-of.ts'
import { useChange } from './use-change.ts'

/**
 * What the company answered to questions about its files for a dictionary, to be chosen at first. A change
 * returns whether it was saved; a failure is shown.
 */
export function useAnswerMemory(dictionaryId: number) {
  const params = { id: dictionaryId }
  // It only helps, so a failure is not shown.
  const { data: answers = [] } = useQuery({ ...queryOf(listAnswers, { params }), meta: { quiet: true } })
  const { mutateAsync: remember } = useChange(rememberAnswer)
  const { mutateAsync: forget } = useChange(forgetAnswer)
  return {
    answers,
    remember: (body: RememberedAnswer) => isSaved(remember({ params, body })),
    forget: (answerId: number) => isSaved(forget({ params: { ...params, answerId } })),
  }
}

const isSaved = (change: Promise<unknown>): Promise<boolean> =>
  change.then(
    () => true,
    () => false,
  )
