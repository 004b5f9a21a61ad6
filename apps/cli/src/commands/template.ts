import { writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { checkTemplate, writeTemplate } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { ExitCode, UsageError, openOrRefuse } from '#exit-code.ts'
import { loadDictionary } from '#load-dictionary.ts'

/** `veridict template`: never overwrites a file, which may contain data. */
export async function makeTemplate({
  file,
  dictionary,
}: {
  file: string
  dictionary: string
}): Promise<ExitCode> {
  const { fields, ruleBook } = await loadDictionary(dictionary)
  const refusal = checkTemplate(fields)
  if (refusal !== null) throw new UsageError(refusal)
  const name = basename(dictionary, extname(dictionary))
  const workbook = Buffer.concat(
    await Array.fromAsync(writeTemplate({ name, fields, ...ruleBook }, nodePlatform())),
  )
  await openOrRefuse(file, () => writeFile(file, workbook, { flag: 'wx' }))
  return ExitCode.Passed
}
