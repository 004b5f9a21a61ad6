import { expect, it } from 'vitest'
import { callPath } from './client.ts'

it.for([
  { path: '/api/Company', params: undefined, query: undefined, made: '/api/Company', why: 'nothing to fill' },
  {
    path: '/api/Company/:id/users',
    params: { id: 7 },
    query: { PageNumber: 2 },
    made: '/api/Company/7/users?PageNumber=2',
    why: 'both',
  },
  {
    path: '/api/User/:id',
    params: { id: 'a/b' },
    query: {},
    made: '/api/User/a%2Fb',
    why: 'a slash stays inside its segment',
  },
  {
    path: '/api/User',
    params: {},
    query: { SearchText: 'ä & b', X: undefined },
    made: '/api/User?SearchText=%C3%A4+%26+b',
    why: 'escaped',
  },
])('$why', ({ path, params, query, made }) => expect(callPath(path, params, query)).toBe(made))
