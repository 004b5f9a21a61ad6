import { describe, expect, it } from 'vitest'
import { addressAfterLogin } from './after-login.ts'

const clerk = { email: 'clerk@example.com', isAdmin: false }
const admin = { email: 'admin@example.com', isAdmin: true }

describe('A login', () => {
  it.for([
    { state: null, why: 'it began at /login' },
    { state: 'text', why: 'the state is not ours' },
    { state: { continueAt: 7 }, why: 'the address is no text' },
  ])('leads home if $why', ({ state }) => expect(addressAfterLogin(state, clerk)).toBe('/home'))

  it.for([
    '/home/fileError/7',
    '/home/fileError/7?page=2',
    '/home/fileUpload',
    '/home?search=may#top',
    '/about-us',
  ])('continues at %s', (continueAt) =>
    expect(addressAfterLogin({ continueAt, ofEmail: null }, clerk)).toBe(continueAt),
  )

  it.for(['/home/companies', '/home/company/edit/1', '/home/dictionary/edit/00000001', '/no/such/page'])(
    'of a clerk leads home instead of to %s',
    (continueAt) => {
      expect(addressAfterLogin({ continueAt, ofEmail: null }, clerk)).toBe('/home')
    },
  )

  it('of an administrator leads home instead of to a report', () =>
    expect(addressAfterLogin({ continueAt: '/home/fileError/7', ofEmail: null }, admin)).toBe('/home'))

  it.for([
    '//example.com/home/fileUpload',
    '//home/fileUpload',
    '/\\example.com/home/fileUpload',
    '\\\\example.com',
    'https://example.com/home/fileUpload',
    'javascript:alert(1)//home/fileUpload',
    '/home/../..//example.com',
    '/.//example.com/home',
    '',
  ])('never leads to another site: %s', (continueAt) =>
    expect(addressAfterLogin({ continueAt, ofEmail: null }, clerk)).toBe('/home'),
  )

  it('of another person leads home', () => {
    const state = { continueAt: '/home/fileError/7', ofEmail: 'clerk@example.com' }
    expect(addressAfterLogin(state, clerk)).toBe('/home/fileError/7')
    expect(addressAfterLogin(state, { ...clerk, email: 'other@example.com' })).toBe('/home')
  })
})
