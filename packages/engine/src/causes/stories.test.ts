import { fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { validateTable } from '#validate-table.ts'
import { fieldsOfStories, rowsOfStories, stories } from '../../test/clerk-stories.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = { ...testPlatform(), currentYear: 2026 }

const requestOf = (text: string) => ({
  source: bytesSource(platform.encodeUtf8(text)),
  fileName: 'claims.csv',
  fields: fieldsOfStories,
  platform,
  limits: portalGuards,
})
const upload = (text: string): Promise<Verdict> => validateTable(requestOf(text))

async function correctedCopy(text: string): Promise<string> {
  const copy = await correctFile({ ...requestOf(text), causes: null })
  if (copy.kind !== 'copy') throw new Error(`No copy: ${copy.kind}`)
  const parts: Uint8Array[] = []
  for await (const part of copy.bytes()) parts.push(part.slice())
  return new TextDecoder().decode(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

describe('A clerk who made a mistake', () => {
  it.for(stories)('reads what is wrong, and corrects it at once: $mistake', async (story) => {
    const verdict = await upload(story.file)
    const causes = verdict.kind === 'rowErrors' ? verdict.causes : []
    expect(causes.map(({ kind }) => kind)).toEqual(story.kinds)
    const sentences =
      verdict.kind === 'fileProblem'
        ? fileProblemText(verdict.problem)
        : causes.map(({ message, advice }) => `${message} ${advice}`).join(' ')
    expect(sentences).toMatch(story.says)
    const second = await upload(story.repaired ?? (await correctedCopy(story.file)))
    expect(second).toMatchObject({ kind: 'passed', recordsCount: rowsOfStories })
  })
})
