import { expect, it } from 'vitest'
import { fileNameOf } from './download.ts'

it.for([
  { disposition: null, name: 'downloaded_file', why: 'no header' },
  { disposition: 'attachment', name: 'downloaded_file', why: 'no name' },
  { disposition: 'attachment; filename=claims_errors.xlsx', name: 'claims_errors.xlsx', why: 'a token' },
  { disposition: 'attachment; filename="claims may.xlsx"', name: 'claims may.xlsx', why: 'a quoted string' },
  { disposition: 'attachment; filename="a \\"b\\".csv"', name: 'a "b".csv', why: 'escaped quotes' },
  {
    disposition: `attachment; filename="x.csv"; filename*=UTF-8''cl%C3%A4ims.csv`,
    name: 'cläims.csv',
    why: 'the extended name wins',
  },
  {
    disposition: `attachment; filename*=utf-8'de'%E2%82%AC.csv; filename="e.csv"`,
    name: '€.csv',
    why: 'in either order, with a language',
  },
  {
    disposition: `attachment; filename="x.csv"; filename*=UTF-8''%ZZ`,
    name: 'x.csv',
    why: 'a broken escape falls back to the plain name',
  },
  { disposition: 'attachment; filename="../../etc/passwd"', name: 'passwd', why: 'folders are dropped' },
  { disposition: 'attachment; filename="C:\\\\temp\\\\a.csv"', name: 'a.csv', why: 'Windows folders too' },
  { disposition: 'attachment; FILENAME="a.csv"', name: 'a.csv', why: 'names of parameters have no case' },
])('$why', ({ disposition, name }) => expect(fileNameOf(disposition)).toBe(name))
