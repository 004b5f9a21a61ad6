import { expect, it, vi } from 'vitest'
import { readPush } from './read-push.ts'

it('reads a message with the three keys', () => {
  const push = { FileId: 7, FilesStatus: 4, RecordCount: 1204 }
  expect(readPush(JSON.stringify(push))).toEqual(push)
  expect(readPush(JSON.stringify({ ...push, RecordCount: null }))).toEqual({ ...push, RecordCount: null })
})

it.for([
  { text: '{"FileId":7,"FilesStatus":4}', why: 'the record count is missing' },
  { text: '{"FilesStatus":4,"RecordCount":1}', why: 'the file is missing' },
  { text: '{"FileId":7,"RecordCount":1}', why: 'the status is missing' },
  { text: '{"FileId":7,"FilesStatus":9,"RecordCount":1}', why: 'there is no such status' },
  { text: '{"fileId":7,"filesStatus":4,"recordCount":1}', why: 'the keys are spelt otherwise' },
  { text: 'null', why: 'it is nothing' },
  { text: '[1]', why: 'it is a list' },
])('ignores a message when $why', ({ text }) => expect(readPush(text)).toBeNull())

it('ignores and logs a message that is no JSON', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(readPush('hello')).toBeNull()
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

it('ignores bytes', () => expect(readPush(new ArrayBuffer(2))).toBeNull())
