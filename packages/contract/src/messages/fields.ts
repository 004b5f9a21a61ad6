import { dictionaryLimits } from '#limits.ts'
import { checkDigitSchemes } from '#model/rule.ts'
import { writeCount } from '#notation/count.ts'

/** Sentences about the fields of a dictionary. See docs/BEHAVIOUR.md#field-form. */
export const fieldMessages = {
  nameRequired: 'Name is required',
  typeRequired: 'Type is required',
  duplicateName: 'A field with this name already exists in the data dictionary.',
  identifiesRow: 'Identifies the row',
  identifiesRowHint: 'Error reports show its value beside the row number, such as a case number or a month.',
  noDescription: 'No description available',
  saveAndAddAnother: 'Save and add another',
  added: (name?: string) =>
    name === undefined
      ? 'It becomes the last column.'
      : `'${name}' is saved. Add the column that follows it.`,
  negativeLength: 'Negative values are not allowed',
  lengthNotInteger: 'Please enter a valid integer. Decimal values are not allowed',
  minLengthTooLarge: 'Minimum range cannot exceed 500',
  minLengthAboveMaximum: 'Minimum length should be less than or equal to Maximum length',
  maxLengthZero: 'Maximum length must be greater than 0',
  maxLengthInvalid: 'Maximum length must be greater than or equal to Minimum length, but cannot Exceed 500',
  minimumAboveMaximum: 'Min should be less than or equal to Max',
  maximumBelowMinimum: 'Max value should be greater or equal to Min',
  scaleInvalid: 'Scale must be a whole number of at least 0',
  listRequired: 'Value is required',
  listValueWithLineBreak: 'A value of the list must stand on one line',
  separatorRequired: 'A separator is required where a cell holds several values',
  separatorInvalid: 'The separator must be one character',
  separatorInOption: 'A value of the list must not contain the separator',
  maxValuesInvalid: 'Most values must be at least 1, and not below the fewest values',
  checkDigitUnknown: `The check digit must be one of ${checkDigitSchemes.join(', ')}`,
  patternRequired: 'Regular expression is required',
  patternInvalid: (reason: string) => `This regular expression cannot be used: ${reason}`,
  /** Reasons for it, beside those of the engine. */
  patternTooLarge:
    'it is too large. With its repeats written out it may have at most ' +
    `${writeCount(dictionaryLimits.maxPatternSize)} steps: use shorter repeats or, for many fixed values, ` +
    'a list.',
  patternsTooLarge: 'together with the expressions of the other fields it is too large.',
  dateFormatRequired: 'Date format is required',
  dateFormatInvalid: 'A valid date format is required.',
  trialIncomplete: 'Values can be tried once this is corrected:',
  trialNotLoaded: 'Values cannot be tried now: the rules could not be loaded. Everything else works.',
  tooMany: (maxFields: number) => `A data dictionary can have at most ${writeCount(maxFields)} fields.`,
  atField: (number: number, name: string, problem: string) =>
    `Field ${number}${name === '' ? '' : `, '${name}'`}: ${problem}`,
  nameOfField: (name: string, number: number) => `'${name}' is already the name of field ${number}.`,
  configInvalid: 'The rule configuration is not valid for this type.',
  saved: 'The field has been saved.',
  deleted: 'The field has been deleted.',
  reordered: 'The order of the fields has been saved.',
  orderIncomplete: 'The order must name every field exactly once, with positions from 1 on.',
  changedMeanwhile: 'The fields were changed by someone else in the meantime. Please load them again.',
} as const
