import { useQuery } from '@tanstack/react-query'
import { forgetAnswer, listAnswers, rememberAnswer } from '@veridict/contract/api/answers'
import type { RememberedAnswer } from '@veridict/contract/model/remembered-answer'
import { queryOf, useChange } from './query-of.ts'

/** What the company answered to questions about its files for a dictionary, to be chosen at first. */
export function useAnswerMemory(dictionaryId: number) {
  const params = { id: dictionaryId }
  // It only helps, so a failure is not shown.
  const { data: answers = [] } = useQuery({ ...queryOf(listAnswers, { params }), meta: { quiet: true } })
  const { mutate: remember } = useChange(rememberAnswer)
  const { mutate: forget } = useChange(forgetAnswer)
  return {
    answers,
    remember: (body: RememberedAnswer, onError?: () => void) => remember({ params, body }, { onError }),
    forget: (answerId: number, onError?: () => void) =>
      forget({ params: { ...params, answerId } }, { onError }),
  }
}
