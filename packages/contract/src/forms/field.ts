import { z } from 'zod'
import { dictionaryLimits, fileGuards, nameLimits } from '#limits.ts'
import { fieldMessages } from '#messages/fields.ts'
import { noticeMessages } from '#messages/notices.ts'
import { RuleType } from '#model/rule.ts'
import { parseDateFormat } from '#notation/date-format.ts'
import { isStorable } from './storable-text.ts'

const MAX_LENGTH = dictionaryLimits.maxTextLengthBound

const lengthBound = z
  .number(fieldMessages.lengthNotInteger)
  .min(0, fieldMessages.negativeLength)
  .int(fieldMessages.lengthNotInteger)
  .nullish()

/** Text: both bounds optional; the maximum, when given, above 0 and at most 500. Spec §5. */
export const textConfig = z
  .strictObject({ minLength: lengthBound, maxLength: lengthBound })
  .superRefine((config, context) => {
    const { minLength, maxLength } = config
    const refuse = (path: 'minLength' | 'maxLength', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (minLength != null && minLength > MAX_LENGTH) refuse('minLength', fieldMessages.minLengthTooLarge)
    else if (minLength != null && maxLength && minLength > maxLength)
      refuse('minLength', fieldMessages.minLengthAboveMaximum)
    if (maxLength === 0) refuse('maxLength', fieldMessages.maxLengthZero)
    else if (maxLength != null && (maxLength > MAX_LENGTH || maxLength < (minLength ?? 0))) {
      refuse('maxLength', fieldMessages.maxLengthInvalid)
    }
  })

/** Number: scale a non-negative integer, the bounds in order. Spec §5. */
export const numberConfig = z
  .strictObject({
    scale: z
      .number(fieldMessages.scaleInvalid)
      .int(fieldMessages.scaleInvalid)
      .min(0, fieldMessages.scaleInvalid)
      .nullish(),
    min: z.number(fieldMessages.configInvalid).nullish(),
    max: z.number(fieldMessages.configInvalid).nullish(),
  })
  .superRefine(({ min, max }, context) => {
    if (min == null || max == null || min <= max) return
    context.addIssue({ code: 'custom', path: ['min'], message: fieldMessages.minimumAboveMaximum })
    context.addIssue({ code: 'custom', path: ['max'], message: fieldMessages.maximumBelowMinimum })
  })

export const dateConfig = z.strictObject({
  format: z
    .string(fieldMessages.dateFormatRequired)
    .min(1, { error: fieldMessages.dateFormatRequired, abort: true })
    .refine((format) => parseDateFormat(format) !== null, fieldMessages.dateFormatInvalid),
})

/**
 * Whether the engine can run the pattern is asked where the engine is at hand (server, form). One of nothing
 * but blanks counts as none: no trimmed cell matches it, and a dictionary's workbook could not tell it from
 * an empty cell.
 */
export const patternConfig = z.strictObject({
  regularExpression: z
    .string(fieldMessages.patternRequired)
    .regex(/\S/, fieldMessages.patternRequired)
    .max(nameLimits.maxTextLength, noticeMessages.tooLong(nameLimits.maxTextLength))
    .refine(isStorable, noticeMessages.invalidValue),
})

/** List: one value per line in the form; trimmed, blanks dropped; none longer than a cell can be. Spec §3. */
export const listConfig = z.strictObject({
  optionSetValues: z
    .array(
      z
        .string()
        .trim()
        .max(fileGuards.maxCellLength, noticeMessages.tooLong(fileGuards.maxCellLength))
        .refine(isStorable, noticeMessages.invalidValue),
      fieldMessages.listRequired,
    )
    .transform((values) => [...new Set(values.filter((value) => value !== ''))])
    .refine((values) => values.length > 0, fieldMessages.listRequired)
    .refine((values) => !values.some((value) => /[\r\n]/.test(value)), fieldMessages.listValueWithLineBreak),
})

const configs = {
  [RuleType.Text]: textConfig,
  [RuleType.Number]: numberConfig,
  [RuleType.Date]: dateConfig,
  [RuleType.Pattern]: patternConfig,
  [RuleType.List]: listConfig,
} as const

/** The schema of `ruleConfig` for a rule type. Unknown keys are refused. */
export const ruleConfigSchema = (ruleType: RuleType) => configs[ruleType]

export const fieldForm = z.object({
  itemName: z
    .string(fieldMessages.nameRequired)
    .trim()
    .min(1, fieldMessages.nameRequired)
    .max(nameLimits.maxLength, noticeMessages.tooLong(nameLimits.maxLength))
    .refine(isStorable, noticeMessages.invalidValue),
  description: z
    .string()
    .trim()
    .max(nameLimits.maxTextLength, noticeMessages.tooLong(nameLimits.maxTextLength))
    .refine(isStorable, noticeMessages.invalidValue)
    .nullish()
    .transform((text) => text ?? ''),
  category: z
    .string()
    .trim()
    .max(nameLimits.maxLength, noticeMessages.tooLong(nameLimits.maxLength))
    .refine(isStorable, noticeMessages.invalidValue)
    .nullish()
    .transform((text) => text ?? ''),
  ruleType: z.union(
    [z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)],
    fieldMessages.typeRequired,
  ),
  isRequired: z.boolean().default(true),
})
export type FieldForm = z.infer<typeof fieldForm>
