import { describe, expect, it } from 'vitest'
import type { ZodType } from 'zod'
import { companyMessages } from '#messages/companies.ts'
import { dictionaryMessages } from '#messages/dictionaries.ts'
import { sessionMessages } from '#messages/session.ts'
import { uploadMessages } from '#messages/upload.ts'
import { userMessages } from '#messages/users.ts'
import { companyForm } from './company.ts'
import { createDictionaryForm } from './dictionary.ts'
import { loginForm } from './login.ts'
import { newPassword, setPasswordForm } from './password.ts'
import { uploadFault } from './upload.ts'
import { newUserForm, userForm } from './user.ts'

/** Messages by path, as a form shows them. */
function faults(schema: ZodType, value: unknown): Record<string, string> {
  const result = schema.safeParse(value)
  return Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]).toReversed(),
  )
}

describe('logging in', () => {
  it.for([
    {
      value: { email: '', password: '' },
      says: { email: sessionMessages.emailRequired, password: sessionMessages.passwordRequired },
    },
    { value: { email: 'nobody', password: 'x' }, says: { email: sessionMessages.emailInvalid } },
    { value: { email: 'a b@c.d', password: 'x' }, says: { email: sessionMessages.emailInvalid } },
    { value: { email: ' a@b.c ', password: 'x' }, says: {} },
    { value: { email: 'Ada<a@b.c>', password: 'x' }, says: { email: sessionMessages.emailInvalid } },
  ])('checks $value', ({ value, says }) => expect(faults(loginForm, value)).toEqual(says))
})

it.for([
  { typed: '<ada@example.com>', is: 'ada@example.com', why: 'as mail programs copy it' },
  { typed: ' <ada@example.com>\n', is: 'ada@example.com', why: 'with white space around it' },
  { typed: 'zoe\u0308@example.com', is: 'zo\u00eb@example.com', why: 'with a combining character' },
  { typed: 'Ada@Example.com', is: 'Ada@Example.com', why: 'its letters stay as they are' },
])('$typed is the e-mail $is: $why', ({ typed, is }) => {
  expect(loginForm.parse({ email: typed, password: 'x' }).email).toBe(is)
  expect(userForm.parse({ name: 'Ada', email: typed, phone: '' }).email).toBe(is)
})

describe('a new password', () => {
  it.for([
    { text: 'Aa1!aaa', fine: false, why: '7 characters' },
    { text: 'Aa1!aaaa', fine: true, why: '8 characters' },
    { text: 'aa1!aaaa', fine: false, why: 'no uppercase letter' },
    { text: 'AA1!AAAA', fine: false, why: 'no lowercase letter' },
    { text: 'Aaa!aaaa', fine: false, why: 'no digit' },
    { text: 'Aa1aaaaa', fine: false, why: 'no special character' },
    { text: 'Äé1€ßßßß', fine: true, why: 'letters beyond ASCII' },
    { text: `Aa1!${'x'.repeat(125)}`, fine: false, why: '129 characters' },
  ])('$why', ({ text, fine }) => expect(newPassword.safeParse(text).success).toBe(fine))

  it('must be typed twice alike', () =>
    expect(faults(setPasswordForm, { password: 'Aa1!aaaa', confirmPassword: 'Aa1!aaab' })).toEqual({
      confirmPassword: sessionMessages.passwordsDiffer,
    }))
})

describe('a chosen file', () => {
  it.for([
    { name: 'claims.csv', size: 1, says: null },
    { name: 'CLAIMS.CSV', size: 26_214_400, says: null },
    { name: 'claims.xlsx', size: 26_214_401, says: uploadMessages.tooLarge },
    { name: 'claims.xls', size: 1, says: uploadMessages.wrongType },
    { name: 'claims.csv.exe', size: 1, says: uploadMessages.wrongType },
    { name: 'csv', size: 1, says: uploadMessages.wrongType },
  ])('$name of $size bytes', ({ name, size, says }) => expect(uploadFault({ name, size })).toBe(says))
})

describe('people and companies', () => {
  const person = { name: 'Ada', email: 'ada@example.com', phone: '' }
  it.for([
    { change: { name: ' ' }, says: { name: userMessages.nameRequired } },
    { change: { email: '' }, says: { email: userMessages.emailRequired } },
    { change: { phone: '+' }, says: { phone: userMessages.phoneInvalid } },
    { change: { phone: '0043 1' }, says: { phone: userMessages.phoneInvalid } },
    { change: { phone: '+431' }, says: {} },
    { change: { phone: null }, says: {} },
    { change: { name: 'x\r\nBcc: v@x' }, says: { name: userMessages.nameRequired } },
  ])('a person with $change', ({ change, says }) =>
    expect(faults(userForm, { ...person, ...change })).toEqual(says),
  )

  it.for([
    { email: `o'brien+claims_1@sub.example.com`, isNew: true, why: 'signs that addresses have' },
    { email: 'zoë@bücher.example', isNew: true, why: 'letters of other languages' },
    { email: `x;=cmd|'/C'!A0;@a.example`, isNew: false, why: 'semicolons' },
    { email: 'a,b@c.example', isNew: false, why: 'a comma' },
    { email: '"a"@c.example', isNew: false, why: 'quotes' },
    { email: 'a(b)@c.example', isNew: false, why: 'a comment' },
    { email: 'a@b_c.example', isNew: false, why: 'an underline in the domain' },
    { email: 'a@b..example', isNew: false, why: 'a domain with an empty part' },
  ])('$email may be a new one: $isNew ($why); who has it logs in', ({ email, isNew }) => {
    const invalid = { email: userMessages.emailInvalid }
    expect(faults(newUserForm, { ...person, email })).toEqual(isNew ? {} : invalid)
    expect(faults(userForm, { ...person, email })).toEqual({})
    expect(faults(loginForm, { email, password: 'x' })).toEqual({})
  })

  it.for(['../x', '/etc', 'a/b', '.', '..', '', 'a\0', 'CON', 'nul.txt', 'x'.repeat(101), 'ends.', '-x'])(
    'storage folder %j is refused',
    (folder) => expect(companyForm.safeParse({ name: 'A', containerName: folder }).success).toBe(false),
  )
  it.for(['northwind', 'A', 'a.b-c_d', 'console'])('storage folder %j is fine', (folder) =>
    expect(faults(companyForm, { name: 'A', containerName: folder })).toEqual({}),
  )
  it('asks for what is missing', () =>
    expect(faults(companyForm, { name: '', containerName: '' })).toEqual({
      name: companyMessages.nameRequired,
      containerName: companyMessages.storageFolderRequired,
    }))
})

describe('a dictionary name', () => {
  it.for([
    { name: '', says: { name: dictionaryMessages.nameRequired } },
    { name: 'x'.repeat(150), says: {} },
    { name: 'x'.repeat(151), says: { name: dictionaryMessages.nameTooLong } },
  ])('of $name.length characters', ({ name, says }) =>
    expect(faults(createDictionaryForm, { name })).toEqual(says),
  )
})
