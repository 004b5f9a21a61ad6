import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RowRule, type RuleBook } from '@veridict/contract/model/row-rule'
import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTableSchema } from '#dictionary-file/read-table-schema.ts'
import { writeTableSchema } from '#dictionary-file/write-table-schema.ts'
import cases from '../../test/cases/table-schema.json' with { type: 'json' }
import { randomDictionary } from '../../test/random-dictionary.ts'
import { FIELDS, randomRuleBook } from '../../test/random-rule-book.ts'
import { runs } from '../../test/runs.ts'
import { testPlatform } from '../../test/test-platform.ts'

const read = (schema: unknown) =>
  readTableSchema(typeof schema === 'string' ? schema : JSON.stringify(schema), testPlatform())

function fieldsOf(schema: unknown) {
  const found = read(schema)
  if (found.kind === 'problems') throw new Error(found.problems.join('\n'))
  return found
}

function problemsOf(schema: unknown): readonly string[] {
  const found = read(schema)
  return found.kind === 'problems' ? found.problems : []
}

const field = (name: string, rule: Rule, rest: Partial<Field> = {}): Field => ({
  name,
  description: '',
  category: '',
  required: true,
  rule,
  ...rest,
})

const EVERY_TYPE: Dictionary = {
  name: 'Claims',
  fields: [
    field(
      'Member',
      { type: 'text', minLength: 2, maxLength: 40 },
      { description: 'As on the card', category: 'Person', identifiesRow: true },
    ),
    field('Units', { type: 'number', scale: 0, minimum: 1 }),
    field('Amount', { type: 'number', scale: 2, maximum: 1e6 }, { required: false, category: 'Money' }),
    field('Born', { type: 'date', format: 'dd/MM/yyyy' }),
    field('Code', { type: 'pattern', pattern: 'A\\d|B' }),
    field('Status', { type: 'list', options: ['Open', 'Closed'] }),
  ],
}

describe('A dictionary as a Table Schema', () => {
  it("says in the standard's words what it has words for", () => {
    const { 'veridict:notes': _, ...schema } = JSON.parse(writeTableSchema(EVERY_TYPE))
    expect(schema).toEqual({
      $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
      title: 'Claims',
      fields: [
        {
          name: 'Member',
          type: 'string',
          description: 'As on the card',
          constraints: { required: true, minLength: 2, maxLength: 40 },
          'veridict:category': 'Person',
          'veridict:identifiesRow': true,
        },
        { name: 'Units', type: 'integer', constraints: { required: true, minimum: 1 } },
        {
          name: 'Amount',
          type: 'number',
          constraints: { maximum: 1e6 },
          'veridict:scale': 2,
          'veridict:category': 'Money',
        },
        {
          name: 'Born',
          type: 'date',
          format: '%d/%m/%Y',
          constraints: { required: true },
          'veridict:format': 'dd/MM/yyyy',
        },
        {
          name: 'Code',
          type: 'string',
          constraints: { required: true, pattern: '^(A\\d|B)$' },
          'veridict:pattern': 'A\\d|B',
        },
        { name: 'Status', type: 'string', constraints: { required: true, enum: ['Open', 'Closed'] } },
      ],
      missingValues: [''],
    })
  })

  it('names what other programs do differently, each difference once', () => {
    expect(JSON.parse(writeTableSchema(EVERY_TYPE))['veridict:notes'].slice(1)).toEqual([
      'Categories are kept as veridict:category, which other programs ignore.',
      'Fields that identify the row are marked with veridict:identifiesRow, which other programs ignore.',
      "'Amount': other programs also accept numbers like 1E5, .5, NaN and INF.",
      "'Amount': other programs accept any number of decimals, Veridict at most 2.",
      "'Born': Veridict needs two digits for dd and MM, other programs may accept one.",
      "'Code': \\d, \\w, \\s and \\b of the regular expression know ASCII characters only in " +
        'Veridict; other programs may take every script.',
    ])
  })

  it.for([
    { rule: { type: 'date', format: 'd.M.yy' }, note: /two-digit years/, why: 'the window of years moves' },
    {
      rule: { type: 'date', format: 'd/MM/yyyy' },
      note: /one digit or two/,
      why: 'tableschema for JavaScript reads %d as two digits',
    },
    { rule: { type: 'date', format: 'd.M' }, note: /29 February/, why: 'strptime assumes 1900' },
    { rule: { type: 'pattern', pattern: '(?i)abc' }, note: /syntax of RE2/, why: 'XML Schema has no flags' },
    { rule: { type: 'pattern', pattern: 'a+?' }, note: /syntax of RE2/, why: 'XML Schema is never lazy' },
    {
      rule: { type: 'pattern', pattern: 'a\\–b' },
      note: /syntax of RE2/,
      why: 'others refuse a backslash that is not needed',
    },
    { rule: { type: 'pattern', pattern: '[0-9]{2}\\(' }, note: null, why: 'everybody reads this alike' },
    { rule: { type: 'date', format: 'yyyy-MM-dd' }, note: null, why: "it is the standard's own form" },
    {
      rule: { type: 'number', scale: 0, minimum: 0.5 },
      note: /decimals/,
      why: "the standard's integers have whole bounds",
    },
  ] as { rule: Rule; note: RegExp | null; why: string }[])('has a note for $rule: $why', ({ rule, note }) => {
    const [, ...notes] = JSON.parse(writeTableSchema({ name: '', fields: [field('Field', rule)] }))[
      'veridict:notes'
    ]
    if (note === null) expect(notes).toEqual([])
    else expect(notes.join()).toMatch(note)
  })

  it('reads again as it was, and loses nothing', () => {
    fc.assert(
      fc.property(randomDictionary, (dictionary) => {
        expect(read(writeTableSchema(dictionary))).toEqual({
          kind: 'dictionary',
          name: dictionary.name.trim(),
          fields: dictionary.fields,
          ruleBook: emptyRuleBook,
          notes: [],
        })
      }),
      { numRuns: runs(50) },
    )
  })

  it('reads again as it was, with its rules', () => {
    const keys = fc.array(
      fc.record({
        name: fc.constantFrom('Primary key', 'Key: Code', 'Key: Text + Code', 'Own name'),
        columns: fc.shuffledSubarray(['Code', 'Text', 'Third number'], { minLength: 1 }),
        description: fc.constantFrom(undefined, 'Why'),
      }),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(randomRuleBook, keys, fc.boolean(), (book, given, isAlone) => {
        const unique = given.map(({ name, columns, description }): RowRule => ({
          name,
          ...(description !== undefined && { description }),
          severity: 'error',
          then: [{ columns, is: 'unique' }],
        }))
        const named = new Map(unique.map((rule) => [rule.name, rule]))
        const ruleBook: RuleBook = isAlone
          ? { ...emptyRuleBook, rules: [...named.values()] }
          : { ...book, rules: [...named.values(), ...book.rules] }
        const written = writeTableSchema({ name: 'Claims', fields: FIELDS, ...ruleBook })
        expect(read(written)).toMatchObject({ fields: FIELDS, ruleBook })
        expect(read(written)).toHaveProperty('notes', [])
      }),
      { numRuns: runs(75) },
    )
  })

  it("says keys and blank texts in the standard's words, and the rest beside them", () => {
    const fields = ['Claim', 'Line', 'NPI'].map((name) =>
      field(name, { type: 'text', checkDigit: 'npi' }, { required: name !== 'NPI' }),
    )
    const unique = (name: string, ...columns: string[]): RowRule => ({
      name,
      severity: 'error',
      then: [{ columns, is: 'unique' }],
    })
    const rules = [unique('Primary key', 'Claim', 'Line'), unique('Key: NPI', 'NPI')]
    const said = JSON.parse(
      writeTableSchema({ name: '', fields, ...emptyRuleBook, rules, blankTexts: ['NA'] }),
    )
    expect(said).toMatchObject({ primaryKey: ['Claim', 'Line'], missingValues: ['', 'NA'] })
    expect(said.fields[2]).toEqual({
      name: 'NPI',
      type: 'string',
      constraints: { unique: true },
      'veridict:checkDigit': 'npi',
    })
    expect(said).not.toHaveProperty('veridict:rules')
    const more = JSON.parse(writeTableSchema({ name: '', fields, rules: [unique('Own', 'NPI', 'Claim')] }))
    expect(more).toMatchObject({
      uniqueKeys: [['NPI', 'Claim']],
      'veridict:rules': { rules: [{ name: 'Own' }] },
    })
  })
})

describe('A field of a Table Schema', () => {
  it.for(cases)('$field: $why', ({ field, rule, notes }) => {
    const found = fieldsOf({ fields: [{ name: 'Field', ...field }] })
    expect(found.fields).toEqual([{ name: 'Field', description: '', category: '', required: false, rule }])
    expect(found.notes).toEqual(notes.map((note) => `'Field': ${note}`))
  })

  it('refuses a very long regular expression without compiling it', () => {
    const { notes } = fieldsOf({
      fields: [{ name: 'a', type: 'string', constraints: { pattern: '['.repeat(1e6) } }],
    })
    expect(notes).toEqual([
      "'a': the regular expression is not checked, since it has more than 2,000 characters.",
    ])
  })

  it('refuses more fields than a file can have, before it reads them', () => {
    const json = JSON.stringify({ fields: Array.from({ length: 16_385 }, () => ({})) })
    expect(read(json)).toEqual({ kind: 'problems', problems: [fieldMessages.tooMany(16_384)] })
  })

  it('leaves out expressions that are too large together', () => {
    const patterns = ['a?'.repeat(900), ...Array.from({ length: 250 }, (_, at) => `a{0,1000}b{${at + 100}}`)]
    const { fields: read, notes } = fieldsOf({
      fields: patterns.map((pattern, at) => ({ name: `f${at}`, type: 'string', constraints: { pattern } })),
    })
    const types = read.map(({ rule }) => rule.type)
    expect([types[0], types[1], types.at(-1)]).toEqual(['text', 'pattern', 'text'])
    expect(notes[0]).toContain(fieldMessages.patternTooLarge)
    expect(notes.at(-1)).toContain(fieldMessages.patternsTooLarge)
  })

  it('takes its title for a description it lacks', () => {
    const { fields, notes } = fieldsOf({
      fields: [
        { name: 'a', type: 'string', title: 'Age' },
        { name: 'b', type: 'string', title: 'Birth', description: 'Day of birth', example: 'x' },
      ],
    })
    expect(fields.map(({ description }) => description)).toEqual(['Age', 'Day of birth'])
    expect(notes).toEqual(["'a': the title serves as the description.", "'b': not kept: title, example."])
  })
})

describe('A description that is too long', () => {
  const note = "'a': the description is shortened to 2,000 characters."
  const number = { type: 'number', scale: 0, minimum: 1 }

  it.for([
    { text: 'd'.repeat(2001), kept: `${'d'.repeat(1999)}…`, notes: [note], why: 'by a character' },
    { text: 'd'.repeat(2e5), kept: `${'d'.repeat(1999)}…`, notes: [note], why: 'by far' },
    {
      text: `${'d'.repeat(1998)}👍👍`,
      kept: `${'d'.repeat(1998)}…`,
      notes: [note],
      why: 'no half of a character',
    },
    { text: 'd'.repeat(2000), kept: 'd'.repeat(2000), notes: [], why: 'not too long' },
    { text: ` ${'d'.repeat(1999)}\n\n`, kept: 'd'.repeat(1999), notes: [], why: 'but for its ends' },
  ])('is shortened, and the rules are kept: $why', ({ text, kept, notes }) => {
    const found = fieldsOf({
      fields: [{ name: 'a', type: 'integer', description: text, constraints: { minimum: 1 } }],
    })
    expect(found.fields).toMatchObject([{ description: kept, rule: number }])
    expect(found.notes).toEqual(notes)
  })

  it('is shortened also where the title serves as one', () => {
    const { fields } = fieldsOf({ fields: [{ name: 'a', type: 'any', title: 't'.repeat(3000) }] })
    expect(fields[0].description).toHaveLength(2000)
  })
})

describe('A Table Schema', () => {
  const fields = [{ name: 'id', type: 'integer' }, { name: 'name' }]

  it.for([
    { resources: [{ path: 'good.csv' }], why: 'example files' },
    {
      resources: [
        { name: 'a', schema: { fields: [] } },
        { name: 'b', schema: { fields: [] } },
      ],
      why: 'tables',
    },
    { resources: [], why: 'nothing' },
    { resources: [null, 1, 'good.csv'], why: 'no objects' },
  ])('is read by its fields, whatever resources it lists: $why', ({ resources }) => {
    const found = fieldsOf({ resources, name: 'people', fields })
    expect(found.fields.map(({ name }) => name)).toEqual(['id', 'name'])
    expect(found).toMatchObject({ name: 'people', notes: ['Not kept: resources.'] })
  })

  it.for([
    { keys: { primaryKey: 'id' }, note: "'id' cannot be empty, as the primary key." },
    { keys: { foreignKeys: [{}] }, note: 'Keys are not checked: foreignKeys.' },
    {
      keys: { fieldsMatch: ['subset'] },
      note:
        "The schema lets columns differ (fieldsMatch 'subset'); in Veridict a file has exactly " +
        'these columns, in this order.',
    },
    { keys: { homepage: 'x', pandas_version: '1.4' }, note: 'Not kept: homepage, pandas_version.' },
  ])('has a note for what it loses: $note', ({ keys, note }) => {
    expect(fieldsOf({ fields, ...keys }).notes).toEqual([note])
  })

  it('loses nothing by a primary key of required fields', () => {
    const given = [{ name: 'id', constraints: { required: true } }]
    expect(fieldsOf({ fields: given, primaryKey: 'id' }).notes).toEqual([])
  })

  const key = (name: string, ...columns: string[]): RowRule => ({
    name,
    severity: 'error',
    then: [{ columns, is: 'unique' }],
  })

  it('has rules for its keys, each once, and texts that count as blank', () => {
    const found = fieldsOf({
      fields: [
        { name: 'id', constraints: { unique: true } },
        { name: 'name', constraints: { unique: true }, missingValues: ['', 'x'] },
      ],
      primaryKey: ['id'],
      uniqueKeys: [['name', 'id'], ['name']],
      missingValues: ['', ' NA ', { value: '-' }, 'NA'],
    })
    expect(found.ruleBook).toEqual({
      ...emptyRuleBook,
      rules: [key('Primary key', 'id'), key('Key: name + id', 'name', 'id'), key('Key: name', 'name')],
      blankTexts: ['NA', '-'],
    })
    expect(found.notes).toEqual([
      "'id' cannot be empty, as the primary key.",
      "'name': 'x' stand for an empty value here alone; Veridict checks them like any other value.",
      "'name': ' NA ', '-', 'NA' stand for an empty value here too, as in other fields.",
    ])
  })

  it('checks no more keys than a rule book may have', () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`)
    const found = fieldsOf({ fields: names.map((name) => ({ name, constraints: { unique: true } })) })
    expect(found.ruleBook.rules).toEqual(names.slice(0, 10).map((name) => key(`Key: ${name}`, name)))
    expect(found.notes).toEqual(["Veridict checks at most 10 keys; not checked: 'Key: f10', 'Key: f11'."])
  })

  it('takes keys from the standard where both have them, which others may have edited', () => {
    const rules: RowRule[] = [
      key('Gone', 'name'),
      { ...key('Kept', 'id'), description: 'Why' },
      { ...key('Another kind', 'name'), severity: 'warning' },
    ]
    const found = fieldsOf({
      fields: [{ name: 'id', constraints: { unique: true } }, { name: 'name' }],
      uniqueKeys: [['id', 'name']],
      'veridict:rules': { rules },
    })
    expect(found.ruleBook.rules).toEqual([...rules.slice(1), key('Key: id + name', 'id', 'name')])
  })

  it.for([
    { given: 'x', problem: 'veridict:rules, rules: An object is expected.' },
    {
      given: { rules: [{ name: 'A', severity: 'error', then: [{ column: 'ID2', is: 'filled' }] }] },
      problem: "veridict:rules, rules[0].then[0]: Rule 'A': There is no field 'ID2'.",
    },
    { given: { blankTexts: 1, more: 2 }, problem: "veridict:rules, rules: There is no 'more' here." },
  ])('cannot be imported with rules that are refused: $problem', ({ given, problem }) => {
    expect(problemsOf({ fields, 'veridict:rules': given })).toEqual([problem])
  })

  it('requires a column of the primary key', () => {
    expect(fieldsOf({ fields, primaryKey: ['id'] }).fields.map(({ required }) => required)).toEqual([
      true,
      false,
    ])
  })

  it('has a note for a primary key that names no field', () => {
    expect(fieldsOf({ fields, primaryKey: ['id', 'nmae'] }).notes).toContain(
      "A key names 'nmae', which no field is called, and is not checked.",
    )
  })

  it('loses nothing where it only says what is so', () => {
    const $schema = 'https://datapackage.org/profiles/2.0/tableschema.json'
    expect(
      fieldsOf({ $schema, name: 'people', fields, fieldsMatch: 'exact', missingValues: [''] }),
    ).toMatchObject({ name: 'people', notes: [] })
  })

  it.for([
    { content: { name: 'people', path: 'people.csv', schema: { fields } }, why: 'a data resource' },
    {
      content: { resources: [{ name: 'readme' }, { name: 'people', schema: { fields } }] },
      why: 'a data package with one table',
    },
  ])('is found in $why', ({ content }) => {
    const found = fieldsOf(content)
    expect(found.fields).toHaveLength(2)
    expect(found.notes).toEqual([
      "Only the schema of 'people' was read; the rest of the file describes data, not fields.",
    ])
  })
})

describe('A Table Schema that cannot be imported', () => {
  const notASchema = 'The file is not a Table Schema: an object with an array "fields" is expected.'
  const table = (name: string) => ({ name, schema: { fields: [] } })

  it.for([
    { content: '[1]', problem: notASchema, why: 'an array' },
    { content: 'null', problem: notASchema, why: 'nothing' },
    { content: '{"fields":{}}', problem: notASchema, why: 'fields that are no array' },
    {
      content: { schema: 'people.json' },
      problem: 'The schema is not in the file but at people.json; open that file instead.',
      why: 'an address',
    },
    {
      content: { resources: [] },
      problem: 'The data package holds no table with a schema.',
      why: 'an empty package',
    },
    {
      content: { resources: [table('a'), table('b')] },
      problem:
        "The data package holds several tables with a schema ('a', 'b'); a data dictionary is " +
        'made from one of them.',
      why: 'two tables',
    },
  ])('is refused with a sentence: $why', ({ content, problem }) =>
    expect(problemsOf(content)).toEqual([problem]),
  )

  it('is no JSON', () => expect(problemsOf('{"fields":')[0]).toMatch(/^The file is not JSON: /))

  it('names every problem at once, each with its field', () => {
    const problems = problemsOf({
      fields: [
        { name: 'id', type: 'intger' },
        { type: 'string' },
        'name',
        { name: ' ID ', type: 'string', constraints: { minLength: -1, required: 'yes', pattern: 1 } },
        { name: 'max', type: 'number', constraints: { minimum: 2, maximum: 1, exclusiveMaximum: 'x' } },
        { name: 'list', constraints: { enum: [{}] } },
        { name: 'key', 'veridict:identifiesRow': 1 },
      ],
    })
    expect(problems).toEqual([
      "Field 1 'id', type: 'intger' is not a type of Table Schema; did you mean 'integer'?",
      'Field 2, name: Name is required',
      'Field 3, name: it is not an object.',
      'Field 4 \' ID \', required: "yes" is not true or false.',
      "Field 4 ' ID ', pattern: 1 is not a text.",
      "Field 4 ' ID ', minLength: -1 is not a whole number of at least 0.",
      "Field 4 ' ID ', name: ' ID ' is already the name of field 1.",
      'Field 5 \'max\', exclusiveMaximum: "x" is not a number.',
      `Field 5 'max', minimum: ${fieldMessages.minimumAboveMaximum}`,
      `Field 5 'max', maximum: ${fieldMessages.maximumBelowMinimum}`,
      "Field 6 'list', enum: {} is not a text or a number.",
      `Field 6 'list', enum: ${fieldMessages.listRequired}`,
      "Field 7 'key', veridict:identifiesRow: 1 is not true or false.",
    ])
  })

  it('never throws, whatever the file holds', () => {
    const json = fc.oneof(
      fc.json(),
      fc.json().map((fields) => `{"fields":[${fields}]}`),
      fc
        .record({
          type: fc.constantFrom('string', 'number', 'integer', 'date', 'boolean', 'any', 'year'),
          odd: fc.jsonValue(),
        })
        .chain(({ type, odd }) =>
          fc
            .dictionary(
              fc.constantFrom(
                'name',
                'format',
                'constraints',
                'categories',
                'trueValues',
                'missingValues',
                'veridict:scale',
                'title',
                'enum',
              ),
              fc.oneof(
                fc.constant(odd),
                fc.jsonValue(),
                fc.constant({ enum: odd, minimum: odd, pattern: odd, minLength: odd, required: odd }),
              ),
            )
            .map((properties) => JSON.stringify({ fields: [{ type, ...properties }] })),
        ),
      fc.string(),
    )
    fc.assert(
      fc.property(json, (text) => {
        const found = read(text)
        return found.kind === 'dictionary' || found.problems.length > 0
      }),
      { numRuns: runs(100) },
    )
  })
})
