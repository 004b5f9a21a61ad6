import { describe, expect, it } from 'vitest'
import { CallFailure } from './call-failure.ts'
import { endsSession, noticeOfFailure, noticeOfSuccess } from './announce.tsx'

const notice = (status: number, path: string, body: unknown) =>
  noticeOfFailure(new CallFailure(status, path, body))

describe('The notice of a failure', () => {
  it.for([
    {
      why: 'a conflict has no generic message',
      status: 409,
      path: '/api/Company',
      body: { message: 'Taken.' },
      expected: null,
    },
    {
      why: 'an ended session logs out silently',
      status: 401,
      path: '/api/FileSubmission',
      body: { message: 'Please log in.' },
      expected: null,
    },
    {
      why: 'a refused refresh is silent',
      status: 401,
      path: '/api/Login/refresh',
      body: { message: 'x' },
      expected: null,
    },
    {
      why: 'a broken refresh is silent',
      status: 500,
      path: '/api/Login/refresh',
      body: null,
      expected: null,
    },
    {
      why: 'a wrong password is shown',
      status: 401,
      path: '/api/Login',
      body: { message: 'Invalid email or password.' },
      expected: { title: 'Error', color: 'red', message: 'Invalid email or password.' },
    },
    {
      why: 'field errors are joined with a comma',
      status: 400,
      path: '/api/Company',
      body: { errors: { Name: ['Name is required'], Storage: ['A', 'B'] } },
      expected: { title: 'Validation Error', color: 'orange', message: 'Name is required, A, B' },
    },
    {
      why: 'an array is joined with line breaks',
      status: 400,
      path: '/api/DataDictionary/Import',
      body: ['Row 7: x', 'Row 9: y'],
      expected: { title: 'Validation Error', color: 'orange', message: 'Row 7: x\nRow 9: y' },
    },
    {
      why: 'a duplicate e-mail has no notice, it is shown at its field',
      status: 400,
      path: '/api/User',
      body: { errors: { DuplicateEmail: ['Taken.'] } },
      expected: null,
    },
    {
      why: 'a message is shown unchanged',
      status: 403,
      path: '/api/Company',
      body: { message: 'You are not allowed to do this.' },
      expected: { title: 'Error', color: 'red', message: 'You are not allowed to do this.' },
    },
    {
      why: 'no response is unexpected',
      status: 0,
      path: '/api/Company',
      body: null,
      expected: { title: 'Error', color: 'red', message: 'An unexpected error occurred.' },
    },
    {
      why: 'an empty list of errors is unexpected',
      status: 400,
      path: '/api/Company',
      body: { errors: {} },
      expected: { title: 'Error', color: 'red', message: 'An unexpected error occurred.' },
    },
  ])('$why', ({ status, path, body, expected }) => expect(notice(status, path, body)).toEqual(expected))

  it.for([
    { path: '/api/Login', ends: false },
    { path: '/api/Login/refresh', ends: false },
    { path: '/api/Login/forgotpassword', ends: false },
    { path: '/api/Logout', ends: true },
    { path: '/api/FileSubmission', ends: true },
  ])('a 401 on $path ends the session: $ends', ({ path, ends }) =>
    expect(endsSession(new CallFailure(401, path, null))).toBe(ends),
  )
})

describe('The notice of a success', () => {
  it.for([
    {
      why: 'successMessage is shown',
      body: { value: { id: 1 }, successMessage: 'Created.' },
      message: 'Created.',
    },
    { why: 'value.message is shown', body: { value: { message: 'Deleted.' } }, message: 'Deleted.' },
    {
      why: 'successMessage wins over value.message',
      body: { value: { message: 'b' }, successMessage: 'a' },
      message: 'a',
    },
    { why: 'a plain value is silent', body: { value: { id: 1 } }, message: undefined },
    { why: 'a list is silent', body: { value: [1] }, message: undefined },
    { why: 'no body is silent', body: null, message: undefined },
  ])('$why', ({ body, message }) => expect(noticeOfSuccess(body)?.message).toBe(message))
})
