import { parseArgs } from 'node:util'
import { ExitCode, UsageError } from '#exit-code.ts'
import { print } from '#print/print.ts'
import { usage } from '#usage.ts'

const options = {
  dictionary: { type: 'string' },
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  errors: { type: 'string' },
  highlighted: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** Runs one command line and returns the exit code. A command is loaded when it is called. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  try {
    return await dispatch(args)
  } catch (error) {
    if (!isUsageError(error)) throw error
    process.stderr.write(`${error.message}\nTry: veridict --help\n`)
    return ExitCode.WrongArguments
  }
}

async function dispatch(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, file, ...rest] = positionals
  if (values.help) {
    print(usage)
    return ExitCode.Passed
  }
  if (file === undefined || rest.length > 0) throw new UsageError('One command and one file are needed.')
  switch (command) {
    case 'validate': {
      const dictionary = needed(values.dictionary, command)
      const { validate } = await import('#commands/validate.ts')
      return validate({ ...values, file, dictionary })
    }
    case 'template': {
      const dictionary = needed(values.dictionary, command)
      const { makeTemplate } = await import('#commands/template.ts')
      return makeTemplate({ file, dictionary })
    }
    case 'infer': {
      const { infer } = await import('#commands/infer.ts')
      return infer({ file })
    }
    case 'read': {
      const { read } = await import('#commands/read.ts')
      return read({ file, json: values.json })
    }
    default:
      throw new UsageError(`There is no command '${command}'.`)
  }
}

function needed(dictionary: string | undefined, command: string): string {
  if (dictionary === undefined) throw new UsageError(`${command} needs --dictionary DICT.json or DICT.xlsx.`)
  return dictionary
}

function isUsageError(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'))
  )
}
