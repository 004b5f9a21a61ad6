import { z } from 'zod'
import { errorScreenLimits } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { structureSentences } from '#messages/structure.ts'
import { isStorable } from '#notation/storable-text.ts'
import { endpoint, idReply } from './endpoint.ts'

const { maxAnswerLength } = errorScreenLimits
const structureKinds = Object.keys(structureSentences)
const text = z.string().max(errorScreenLimits.maxValueLength).refine(isStorable, noticeMessages.invalidValue)

/** `model/remembered-answer` says what each part means. */
export const rememberedAnswer = z.object({
  /** The field's name; null for the structure. */
  column: text.nullable(),
  kind: z.enum([...structureKinds, 'dateOrder', 'pad', 'prefix', 'notInList']),
  question: text.optional(),
  choice: text.optional(),
  map: z
    .record(text, text)
    .refine((map) => JSON.stringify(map).length <= maxAnswerLength, noticeMessages.tooLong(maxAnswerLength))
    .optional(),
})

export const listAnswers = endpoint(
  'GET /api/DataDictionary/:id/Answers',
  'companyUser',
  'What the company answered to questions about its files for a dictionary, to be chosen next time',
  { reply: z.array(rememberedAnswer.extend({ id: z.int() })) },
)

export const rememberAnswer = endpoint(
  'PUT /api/DataDictionary/:id/Answers',
  'companyUser',
  'Remember an answer for a column and kind of question; a `map` is added to the remembered one',
  {
    body: rememberedAnswer.refine(({ column, kind }) => (column === null) === structureKinds.includes(kind), {
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
