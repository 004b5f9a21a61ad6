import { fileProblemMessages as texts } from '@veridict/contract/messages/file-problems'
import { expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

it('takes the differences between the columns apart, even where names hold full stops', () => {
  const statements = [
    texts.columnsLead,
    texts.columnMissing('C', 'No. of visits'),
    texts.columnUnexpected('D', 'DOB', 'Date of birth'),
    texts.columnDuplicate('Amount', ['F', 'G']),
    texts.moreDifferences(12),
    texts.otherSheets('Data', ['Notes']),
  ]
  expect(sentencesOf(statements.join(' '))).toEqual(statements)
})

it('leaves any other message whole', () => {
  const message = texts.notUtf8(17)
  expect(sentencesOf(message)).toEqual([message])
})
