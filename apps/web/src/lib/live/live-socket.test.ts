import { expect, it, describe, vi } from 'vitest'
import { liveAddress, reconnectDelay, isNewUpload, patchStatus, readPush } from './live-socket.ts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'

it('reconnects after half a second to 5 seconds', () => {
  expect(reconnectDelay(() => 0)).toBe(500)
  expect(reconnectDelay(() => 1)).toBe(5000)
})

it.for([
  { page: 'https://data.example.test', socket: 'wss://data.example.test/ws' },
  { page: 'http://localhost:3000', socket: 'ws://localhost:3000/ws' },
])('a page at $page connects to $socket', ({ page, socket }) => {
  expect(liveAddress(page)).toBe(socket)
})

const {
  Uploaded,
  InProcess,
  ValidationFailed,
  ValidationPassed,
  IngestionSuccess,
  IngestionFailed,
  IngestionFileNotFound,
} = SubmissionStatus

describe('A push', () => {
  it.for([
    { from: Uploaded, to: InProcess, kept: false, why: 'moves a row on' },
    { from: Uploaded, to: IngestionSuccess, kept: false, why: 'may skip statuses whose pushes were missed' },
    { from: IngestionFailed, to: ValidationPassed, kept: false, why: 'follows a retry' },
    { from: IngestionFailed, to: IngestionFileNotFound, kept: false, why: 'follows a purge' },
    { from: InProcess, to: Uploaded, kept: true, why: 'does not move a row back' },
    { from: ValidationPassed, to: InProcess, kept: true, why: 'does not undo a validation' },
    { from: ValidationFailed, to: InProcess, kept: true, why: 'does not leave a failed validation' },
    { from: IngestionSuccess, to: IngestionFailed, kept: true, why: 'does not leave a success' },
    {
      from: IngestionFileNotFound,
      to: ValidationPassed,
      kept: true,
      why: 'does not bring a removed file back',
    },
  ])('$why ($from to $to)', ({ from, to, kept }) => {
    const row = { id: 7, status: from, recordsCount: null }
    expect(patchStatus(row, { FilesStatus: to, RecordCount: null })).toEqual({
      ...row,
      status: kept ? from : to,
    })
  })

  it('sets the record count, and does not remove a known one', () => {
    const row = { status: InProcess, recordsCount: null }
    expect(patchStatus(row, { FilesStatus: InProcess, RecordCount: 12 }).recordsCount).toBe(12)
    expect(
      patchStatus({ ...row, recordsCount: 12 }, { FilesStatus: IngestionSuccess, RecordCount: null })
        .recordsCount,
    ).toBe(12)
  })

  it('without a push returns the same row object', () => {
    const row = { status: IngestionSuccess, recordsCount: 12 }
    expect(patchStatus(row, { FilesStatus: IngestionSuccess, RecordCount: 12 })).toBe(row)
  })
})

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
  { text: 'null', why: 'it is null' },
  { text: '[1]', why: 'it is a list' },
])('ignores a message when $why', ({ text }) => expect(readPush(text)).toBeNull())

it('ignores and logs a message that is not JSON', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(readPush('hello')).toBeNull()
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

it('ignores bytes', () => expect(readPush(new ArrayBuffer(2))).toBeNull())

it.for([
  { fileId: 12, shownIds: [11, 10, 9], isNew: true, why: 'a later upload' },
  { fileId: 10, shownIds: [11, 10, 9], isNew: false, why: 'one that is shown' },
  { fileId: 3, shownIds: [11, 10, 9], isNew: false, why: 'one of a later page' },
  { fileId: 3, shownIds: [], isNew: true, why: 'the first of all' },
])('$why: $isNew', ({ fileId, shownIds, isNew }) => expect(isNewUpload(fileId, shownIds)).toBe(isNew))
