import { expect, it } from 'vitest'
import { callPath } from './client.ts'

it.for([
  {
    path: '/api/Company',
    params: undefined,
    query: undefined,
    expected: '/api/Company',
    why: 'no parameters',
  },
  {
    path: '/api/Company/:id/users',
    params: { id: 7 },
    query: { PageNumber: 2 },
    expected: '/api/Company/7/users?PageNumber=2',
    why: 'a path parameter and a query',
  },
  {
    path: '/api/User/:id',
    params: { id: 'a/b' },
    query: {},
    expected: '/api/User/a%2Fb',
    why: 'a slash stays inside its segment',
  },
  {
    path: '/api/User',
    params: {},
    query: { SearchText: 'ä & b', X: undefined },
    expected: '/api/User?SearchText=%C3%A4+%26+b',
    why: 'the query is escaped, undefined is left out',
  },
])('$why', ({ path, params, query, expected }) => expect(callPath(path, params, query)).toBe(expected))
