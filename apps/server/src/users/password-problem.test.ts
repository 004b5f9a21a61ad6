import { sessionMessages } from '@veridict/contract/messages/session'
import { describe, expect, it } from 'vitest'
import { passwordProblem } from '#users/password-problem.ts'

const owner = { email: 'nora.lind@harbor-data.example', name: 'Nora Lindqvist', company: 'Northwind Health' }
const { passwordCommon, passwordPersonal } = sessionMessages

describe('A password', () => {
  it.for([
    ['Password1!', 'digits and signs at the end'],
    ['12!Password', 'digits and signs at the beginning'],
    ['Passw0rd!', 'leet and a sign'],
    ['P@$$w0rd2026', 'leet and a year'],
    ['$ecret#12', 'a leading sign that is a letter'],
    ['We1come#2026', '1 for l'],
    ['Adm1n#2026', '1 for i'],
    ['ＱＷＥｒｔｙ1!', 'wide letters (NFKC)'],
    ['Trustno1!', 'a common one that ends in a digit'],
    ['1qaz2wsX!', 'a walk over the keyboard'],
  ] as const)('%s is common: %s', ([password]) => {
    expect(passwordProblem(password, owner)).toBe(passwordCommon)
  })

  it.for([
    ['Nora.Lind@harbor-data.example1', 'the e-mail'],
    ['NoraLind#26', 'the part before the @'],
    ['Nora-Lindqvist1', 'the name'],
    ['LindqvistNora!1', 'the name, the other way round'],
    ['L1ndqv1st!', 'a part of the name in leet'],
    ['Northwind-Health1', 'the company'],
    ['N0rthwind#2026', 'a part of the company'],
    ['Harbor-Data.26', 'the domain of the e-mail'],
  ] as const)('%s is %s of its owner', ([password]) => {
    expect(passwordProblem(password, owner)).toBe(passwordPersonal)
  })

  it.for(['Correct-Horse-1', 'Wombats-dig-Burrows-7', 'xK9#dfQ2!vLp', 'Ä1!bxxxx', `aA1!${'9'.repeat(124)}`])(
    '%s is neither',
    (password) => expect(passwordProblem(password, owner)).toBeNull(),
  )

  it('of an administrator has no company', () => {
    const administrator = { email: 'root@example.test', name: 'Administrator', company: null }
    expect(passwordProblem('Administrator#1', administrator)).not.toBeNull()
    expect(passwordProblem('Wombats-dig-7', administrator)).toBeNull()
  })
})
