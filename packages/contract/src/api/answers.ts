import { z } from 'zod'
import { errorScreenLimits } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { structureSentences } from '#messages/structure.ts'
import { askingKinds } from '#model/remembered-answer.ts'
import { isStorable } from '#notation/storable-text.ts'
import { endpoint } from './endpoint.ts'
import { idReply } from './envelope.ts'

const { maxAnswerLength } = errorScreenLimits
const text = z.string().max(errorScreenLimits.maxValueLength).refine(isStorable, noticeMessages.invalidValue)

/** `model/remembered-answer` says what each part means. */
const answer = z.object({
  column: text.nullable(),
  kind: z.enum(askingKinds),
  question: text.optional(),
  choice: text.optional(),
  map: z
    .record(text, text)
    .refine((map) => JSON.stringify(map).length <= maxAnswerLength, noticeMessages.tooLong(maxAnswerLength))
    .optional(),
})
type Answer = z.infer<typeof answer>

const isOfStructure = ({ kind }: Answer) => Object.hasOwn(structureSentences, kind)

export const listAnswers = endpoint(
  'GET /api/DataDictionary/:id/Answers',
  'companyUser',
  'What the company answered to questions about its files for a dictionary, to be chosen next time',
  { reply: z.array(answer.extend({ id: z.int() })) },
)

export const rememberAnswer = endpoint(
  'PUT /api/DataDictionary/:id/Answers',
  'companyUser',
  'Remember an answer for a column and kind of question; a `map` is added to the remembered one',
  {
    body: answer.refine((given) => (given.column === null) === isOfStructure(given), {
      path: ['column'],
      message: noticeMessages.invalidValue,
    }),
    reply: idReply,
  },
)

export const forgetAnswer = endpoint(
  'DELETE /api/DataDictionary/:id/Answers/:answerId',
  'companyUser',
  'Forget a remembered answer',
  { reply: idReply },
)
