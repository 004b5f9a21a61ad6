import { parseArgs } from 'node:util'
import { ExitCode, UsageError } from '#exit-code.ts'
import { PortalError } from '#portal/portal-error.ts'
import { print } from '#print/print.ts'
import { usage } from '#usage.ts'

const options = {
  dictionary: { type: 'string' },
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  errors: { type: 'string' },
  highlighted: { type: 'string' },
  out: { type: 'string' },
  cause: { type: 'string', multiple: true },
  url: { type: 'string' },
  keys: { type: 'string' },
  head: { type: 'string' },
  wait: { type: 'boolean', default: false },
  repair: { type: 'boolean', default: false },
  finish: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Runs one command line and returns the exit code. A command is loaded when it is called. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  try {
    return await dispatch(args)
  } catch (error) {
    if (error instanceof PortalError) {
      process.stderr.write(`${error.message}\n`)
      return ExitCode.Failed
    }
    if (!isUsageError(error)) throw error
    process.stderr.write(`${error.message}\nTry: veridict --help\n`)
    return ExitCode.Failed
  }
}

async function dispatch(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, file, ...rest] = positionals
  if (values.help) {
    print(usage)
    return ExitCode.Passed
  }
  if (values.version) return portalCommand('version')
  if (command === 'receipt') return receiptCommand(positionals.slice(1), values)
  if (command === 'audit') return auditCommand(positionals.slice(1), values)
  if (command === 'check') return checkCommand(positionals.slice(1), values)
  if (command === 'migrate') return migrateCommand(positionals.slice(1), values)
  if (file === undefined || rest.length > 0) throw new UsageError('One command and one file are needed.')
  switch (command) {
    case 'validate': {
      const dictionary = requireDictionary(values.dictionary, command)
      const { validate } = await import('#commands/validate.ts')
      return validate({ ...values, file, dictionary })
    }
    case 'upload': {
      const dictionary = requireValue(
        values.dictionary,
        'upload needs --dictionary NAME, as the portal calls it.',
      )
      const url = requireValue(values.url, 'upload needs --url, the address of the portal.')
      const { upload } = await import('#commands/upload.ts')
      return upload({ ...values, file, dictionary, url })
    }
    case 'correct': {
      const dictionary = requireDictionary(values.dictionary, command)
      const out = requireValue(values.out, 'correct needs --out OUT, the path of the copy.')
      const { correct } = await import('#commands/correct.ts')
      return correct({ file, dictionary, out, causes: values.cause ?? [], json: values.json })
    }
    case 'template': {
      const dictionary = requireDictionary(values.dictionary, command)
      const { makeTemplate } = await import('#commands/template.ts')
      return makeTemplate({ file, dictionary })
    }
    case 'infer': {
      const { infer } = await import('#commands/infer.ts')
      return infer({ file })
    }
    case 'backup':
    case 'restore': {
      return portalCommand(command === 'backup' ? 'back-up' : 'restore', file)
    }
    case 'read': {
      const { read } = await import('#commands/read.ts')
      return read({ file, json: values.json })
    }
    default:
      throw new UsageError(`There is no command '${command}'.`)
  }
}

/** `veridict receipt verify FILE RECEIPT.json`. */
async function receiptCommand(
  [action, file, receipt, ...rest]: readonly string[],
  { url, keys }: { url?: string | undefined; keys?: string | undefined },
): Promise<ExitCode> {
  if (action !== 'verify' || file === undefined || receipt === undefined || rest.length > 0)
    throw new UsageError('receipt verify needs a file and its receipt.')
  const { verifyReceipt } = await import('#commands/verify-receipt.ts')
  return verifyReceipt({ file, receipt, url, keys })
}

/** `veridict audit verify [--head FILE] [--json]`. */
async function auditCommand(
  [action, ...rest]: readonly string[],
  { head, json }: { head?: string | undefined; json: boolean },
): Promise<ExitCode> {
  if (action !== 'verify' || rest.length > 0)
    throw new UsageError('The command is: audit verify [--head FILE] [--json]')
  return portalCommand(
    'verify-audit',
    ...(head === undefined ? [] : [`--head=${head}`]),
    ...(json ? ['--json'] : []),
  )
}

/** `veridict check [--repair] [--json]`. */
async function checkCommand(
  rest: readonly string[],
  { repair, json }: { repair: boolean; json: boolean },
): Promise<ExitCode> {
  if (rest.length > 0) throw new UsageError('The command is: check [--repair] [--json]')
  return portalCommand('check', ...(repair ? ['--repair'] : []), ...(json ? ['--json'] : []))
}

/** `veridict migrate [--finish]`. */
async function migrateCommand(rest: readonly string[], { finish }: { finish: boolean }): Promise<ExitCode> {
  if (rest.length > 0) throw new UsageError('The command is: migrate [--finish]')
  return portalCommand('migrate', ...(finish ? ['--finish'] : []))
}

async function portalCommand(name: string, ...args: readonly string[]): Promise<ExitCode> {
  const { runPortalCommand } = await import('#commands/portal-command.ts')
  return runPortalCommand(name, ...args)
}

const requireDictionary = (dictionary: string | undefined, command: string): string =>
  requireValue(dictionary, `${command} needs --dictionary DICT.json or DICT.xlsx.`)

function requireValue(value: string | undefined, sentence: string): string {
  if (value === undefined) throw new UsageError(sentence)
  return value
}

function isUsageError(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'))
  )
}
