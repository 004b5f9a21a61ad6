import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { describe, expect, it } from 'vitest'
import { patchStatus } from './patch-status.ts'

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

  it('brings the record count, and does not take a known one away', () => {
    const row = { status: InProcess, recordsCount: null }
    expect(patchStatus(row, { FilesStatus: InProcess, RecordCount: 12 }).recordsCount).toBe(12)
    expect(
      patchStatus({ ...row, recordsCount: 12 }, { FilesStatus: IngestionSuccess, RecordCount: null })
        .recordsCount,
    ).toBe(12)
  })

  it('that says nothing new leaves the very same row', () => {
    const row = { status: IngestionSuccess, recordsCount: 12 }
    expect(patchStatus(row, { FilesStatus: IngestionSuccess, RecordCount: 12 })).toBe(row)
  })
})
