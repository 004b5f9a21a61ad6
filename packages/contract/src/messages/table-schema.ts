import { firstNames, writeCount } from '#notation/count.ts'

/**
 * What other programs do differently with an exported schema, what an imported one loses, and why one cannot
 * be imported. Each sentence names its fields. Ours; what differs follows from the standard.
 */

export const tableSchemaStandard = 'https://datapackage.org/standard/table-schema/'

/** The property with what other programs do differently: an array of sentences. */
export const tableSchemaNotes = 'veridict:notes'
/** The property that holds the rules between cells: `{ rules, exempt, lists }`, as in calls. */
export const tableSchemaRules = 'veridict:rules'

/** Names of the rules that keys become. */
export const tableSchemaKeyNames = {
  primary: 'Primary key',
  unique: (columns: readonly string[]) => `Key: ${columns.join(' + ')}`,
} as const

const quote = (name: string): string => `'${name}'`
const quoted = (names: readonly string[]): string => names.map(quote).join(', ')

/** Most names that a sentence spells out. */
const MAX_NAMES = 10

/** A sentence about fields: `'A', 'B' and 3 more: …` */
export const aboutFields = (names: readonly string[], sentence: string): string =>
  `${firstNames(names.map(quote), MAX_NAMES)}: ${sentence}`

const asciiClasses =
  '\\d, \\w, \\s and \\b of the regular expression know ASCII characters only in Veridict; other ' +
  'programs may take every script.'

/** What other programs do differently with an exported schema. */
export const tableSchemaExportNotes = {
  labels:
    'Spaces around values and column names do not matter to Veridict, nor does the case of ' +
    'column names; other programs may refuse them.',
  categories: 'Categories are kept as veridict:category, which other programs ignore.',
  keys: 'Fields that identify the row are marked with veridict:identifiesRow, which other programs ignore.',
  rules: `Rules between cells are kept as ${tableSchemaRules}, which other programs ignore.`,
  severalValues: 'other programs do not check the values of a cell against the list.',
  checkDigit: 'other programs do not check the check digit.',
  numberForms: 'other programs also accept numbers like 1E5, .5, NaN and INF.',
  scale: (scale: number) => `other programs accept any number of decimals, Veridict at most ${scale}.`,
  twoDigits: 'Veridict needs two digits for dd and MM, other programs may accept one.',
  oneDigit: 'Veridict accepts one digit or two for d and M, some programs need two.',
  twoDigitYear:
    'other programs take two-digit years up to 68 as 20.., Veridict those up to 20 years ahead of today.',
  noYear: 'without a year, other programs may refuse 29 February.',
  asciiClasses,
  patternSyntax:
    'the regular expression is written in the syntax of RE2; some of it may be unknown to other programs.',
} as const

/** What an import drops or alters. */
export const tableSchemaImportNotes = {
  onlySchema: (table: string) =>
    `Only the schema${table === '' ? '' : ` of '${table}'`} was read; ` +
    'the rest of the file describes data, not fields.',
  ignored: (keys: readonly string[]) => `Not kept: ${keys.join(', ')}.`,
  fieldsMatch: (mode: string) =>
    `The schema lets columns differ (fieldsMatch '${mode}'); in Veridict a file has exactly ` +
    'these columns, in this order.',
  missingValues: (values: readonly string[]) =>
    `${quoted(values)} stand for an empty value here alone; Veridict checks them like any other value.`,
  missingElsewhere: (values: readonly string[]) =>
    `${quoted(values)} stand for an empty value here too, as in other fields.`,
  blankIsValue: 'an empty cell is a value in the schema; in Veridict it is empty.',
  primaryKey: (names: readonly string[]) => `${quoted(names)} cannot be empty, as the primary key.`,
  keyUnknown: (names: readonly string[]) =>
    `A key names ${quoted(names)}, which no field is called, and is not checked.`,
  keysNotChecked: (keys: readonly string[]) => `Keys are not checked: ${keys.join(', ')}.`,
  tooManyKeys: (most: number, names: readonly string[]) =>
    `Veridict checks at most ${most} keys; not checked: ${quoted(names)}.`,
  titleUsed: 'the title serves as the description.',
  descriptionShortened: (most: number) => `the description is shortened to ${writeCount(most)} characters.`,
  notKept: (keys: readonly string[]) => `not kept: ${keys.join(', ')}.`,
  notChecked: (constraints: readonly string[]) => `not checked: ${constraints.join(', ')}.`,
  typeAsText: (type: string) => `Veridict has no type ${type}; any text is accepted.`,
  dateFormatAsText: (format: string) =>
    `the date format '${format}' cannot be expressed; any text is accepted.`,
  formatNotChecked: (format: string) => `the format ${format} is not checked.`,
  uuidAsPattern: 'the format uuid has become a regular expression.',
  booleanAsList: (values: readonly string[]) => `the type boolean has become a list of ${values.join(', ')}.`,
  exactList: (type: string) => `each ${type} must be written exactly as in the list.`,
  categoryLabels: 'the labels of the categories are not kept, only their values.',
  lengthTooLarge: (constraint: string, value: number, most: number) =>
    `${constraint} ${value} is not checked; Veridict knows lengths up to ${most}.`,
  maxLengthZero: 'maxLength 0 is not checked.',
  exclusiveBound: (constraint: string, bound: string) =>
    `${constraint} ${bound} has become a bound that ${bound} itself fulfils.`,
  roundedBound: (constraint: string, written: string, kept: string) =>
    `${constraint} ${written} is kept as ${kept}.`,
  decimalChar: (character: string) => `numbers must be written with '.', not '${character}'.`,
  groupChar: (character: string) => `numbers must be written without '${character}' between their digits.`,
  notBare: 'numbers must stand alone, without currency or unit.',
  patternRefused: (pattern: string, reason: string) =>
    `the regular expression ${pattern} is not checked: ${reason}`,
  patternTooLong: (most: number) =>
    `the regular expression is not checked, since it has more than ${writeCount(most)} characters.`,
  classSubtraction: 'subtracting from a character class is not supported.',
  asciiClasses,
} as const

/** Why a schema cannot be imported; each problem of a field is reported with its place. */
export const tableSchemaProblems = {
  at: (number: number, name: string, property: string, problem: string) =>
    `Field ${number}${name === '' ? '' : ` '${name}'`}, ${property}: ${problem}`,
  atRules: (place: string, problem: string) => `${tableSchemaRules}, ${place}: ${problem}`,
  notJson: (reason: string) => `The file is not JSON: ${reason}`,
  notUtf8: 'The file is not text in UTF-8.',
  notASchema: 'The file is not a Table Schema: an object with an array "fields" is expected.',
  schemaElsewhere: (address: string) =>
    `The schema is not in the file but at ${address}; open that file instead.`,
  noTable: 'The data package holds no table with a schema.',
  severalTables: (names: readonly string[]) =>
    `The data package holds several tables with a schema (${quoted(names)}); a data dictionary ` +
    'is made from one of them.',
  notAnObject: 'it is not an object.',
  notA: (value: string, what: string) => `${value} is not ${what}.`,
  unknownType: (type: string, nearest: string | null) =>
    nearest === null
      ? `'${type}' is not a type of Table Schema.`
      : `'${type}' is not a type of Table Schema; did you mean '${nearest}'?`,
} as const
