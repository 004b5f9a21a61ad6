import { noticeMessages } from '@veridict/contract/messages/notices'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { describe, expect, it } from 'vitest'
import { CallFailure } from './call-failure.ts'
import { refusal } from './use-upload.ts'

describe('A refused upload', () => {
  it.for([
    { status: 500, body: { message: 'Out of order.' }, says: ['Out of order.'] },
    { status: 503, body: { message: noticeMessages.unavailable }, says: [noticeMessages.unavailable] },
    {
      status: 429,
      body: { message: noticeMessages.tooManyRequests },
      says: [noticeMessages.tooManyRequests],
    },
    {
      status: 507,
      body: { message: uploadMessages.quotaReached(10_240) },
      says: [uploadMessages.quotaReached(10_240)],
    },
    { status: 502, body: null, says: [noticeMessages.unexpected] },
    { status: 400, body: { errors: { dataDictionaryId: ['Unknown.'] } }, says: ['Unknown.'] },
    {
      status: 400,
      body: { errors: { file: [uploadMessages.fileEmpty] } },
      says: [uploadMessages.fileEmpty],
      atFault: true,
    },
    { status: 400, body: ['Row 2.', 'Row 3.'], says: ['Row 2.', 'Row 3.'], atFault: true },
    {
      status: 413,
      body: { message: uploadMessages.tooLarge },
      says: [uploadMessages.tooLarge],
      atFault: true,
    },
    {
      status: 415,
      body: { message: uploadMessages.wrongType },
      says: [uploadMessages.wrongType],
      atFault: true,
    },
  ])('($status) says $says, and the file stays chosen', ({ status, body, says, atFault = false }) => {
    expect(refusal(new CallFailure(status, '/api/FileSubmission', body))).toEqual({
      step: 'refused',
      messages: says,
      isFileAtFault: atFault,
      isFileLost: false,
    })
  })

  it('without a response must be selected again: it may have changed on disk', () => {
    expect(refusal(new CallFailure(0, '/api/FileSubmission', null))).toEqual({
      step: 'refused',
      messages: [uploadMessages.interrupted],
      isFileAtFault: false,
      isFileLost: true,
    })
  })
})
