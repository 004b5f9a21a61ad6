import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ExitCode, PortalError, UsageError } from '#exit-code.ts'
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
  choose: { type: 'string', multiple: true, default: [] as string[] },
  map: { type: 'string', multiple: true, default: [] as string[] },
  on: { type: 'string' },
  url: { type: 'string' },
  keys: { type: 'string' },
  head: { type: 'string' },
  keep: { type: 'string' },
  wait: { type: 'boolean', default: false },
  repair: { type: 'boolean', default: false },
  finish: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Returns the exit code. A command is loaded when it is called. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  try {
    return await dispatch(args)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isOfUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS_')
    if (!isOfUsage && !(error instanceof PortalError)) throw error
    process.stderr.write(isOfUsage ? `${message}\nTry: veridict --help\n` : `${message}\n`)
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
  if (command === 'convert') return convertCommand(positionals.slice(1))
  const ofOperator = operatorCommand(positionals, values)
  if (ofOperator !== undefined) return ofOperator
  if (file === undefined || rest.length > 0) throw new UsageError('One command and one file are needed.')
  switch (command) {
    case 'validate': {
      const dictionary = requireDictionary(values.dictionary, command)
      return (await import('#commands/validate.ts')).validate({ ...values, file, dictionary })
    }
    case 'upload': {
      const dictionary = requireValue(
        values.dictionary,
        'upload needs --dictionary NAME, as the portal calls it.',
      )
      const url = requireValue(values.url, 'upload needs --url, the address of the portal.')
      return (await import('#commands/upload.ts')).upload({ ...values, file, dictionary, url })
    }
    case 'correct': {
      const dictionary = requireDictionary(values.dictionary, command)
      const out = requireValue(values.out, 'correct needs --out OUT, the path of the copy.')
      return (await import('#commands/correct.ts')).correct({
        ...values,
        file,
        dictionary,
        out,
        causes: values.cause ?? [],
      })
    }
    case 'template': {
      const dictionary = requireDictionary(values.dictionary, command)
      return (await import('#commands/template.ts')).makeTemplate({ file, dictionary })
    }
    case 'infer':
      return (await import('#commands/infer.ts')).infer({ file })
    case 'backup': {
      const keep = values.keep === undefined ? [] : [`--keep=${values.keep}`]
      return portalCommand('back-up', file, ...keep)
    }
    case 'restore':
      return portalCommand('restore', file)
    case 'read':
      return (await import('#commands/read.ts')).read({ file, json: values.json })
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
  return (await import('#commands/verify-receipt.ts')).verifyReceipt({ file, receipt, url, keys })
}

/** `veridict convert IN OUT`. */
async function convertCommand([file, out, ...rest]: readonly string[]): Promise<ExitCode> {
  if (file === undefined || out === undefined || rest.length > 0)
    throw new UsageError('convert needs a dictionary and the path of its other form.')
  return (await import('#commands/convert.ts')).convert({ file, out })
}

/** Commands of the portal's operator without a file, by their words: their programs and options. */
const operatorCommands = {
  'audit verify': { program: 'verify-audit', flags: ['head', 'json'] },
  check: { program: 'check', flags: ['repair', 'json'] },
  migrate: { program: 'migrate', flags: ['finish'] },
  doctor: { program: 'doctor', flags: ['json'] },
  'after-restore': { program: 'after-restore', flags: ['json'] },
  'keys rotate': { program: 'rotate-keys', flags: [] },
  'retry-storage': { program: 'retry-storage', flags: [] },
} as const

function operatorCommand(
  words: readonly string[],
  values: Readonly<Record<string, unknown>>,
): ExitCode | undefined {
  const ofFirst = Object.entries(operatorCommands).find(([name]) => name.split(' ')[0] === words[0])
  if (ofFirst === undefined) return undefined
  const [name, { program, flags }] = ofFirst
  if (words.join(' ') !== name)
    throw new UsageError(`The command is: ${[name, ...flags.map((flag) => `[--${flag}]`)].join(' ')}`)
  const given = flags.filter((flag) => values[flag] !== undefined && values[flag] !== false)
  const args = given.map((flag) =>
    values[flag] === true ? `--${flag}` : `--${flag}=${String(values[flag])}`,
  )
  return portalCommand(program, ...args)
}

/**
 * Runs a command that needs the portal's settings and database: in the package of the server and in a process
 * of its own, so that the command line does not contain the portal. The exit codes are the same.
 */
function portalCommand(name: string, ...args: readonly string[]): ExitCode {
  const { resolve } = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const exitWith2 = pathToFileURL(resolve('@veridict/cli/src/exit-with-2.mjs')).href
  const command = join(dirname(resolve('@veridict/server/package.json')), 'src/commands', `${name}.ts`)
  const { status, error } = process
    .getBuiltinModule('node:child_process')
    .spawnSync(process.execPath, [`--import=${exitWith2}`, command, ...args], { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status === ExitCode.Passed || status === ExitCode.NotPassed) return status
  return ExitCode.Failed
}

const requireDictionary = (dictionary: string | undefined, command: string): string =>
  requireValue(dictionary, `${command} needs --dictionary DICT.json or DICT.xlsx.`)

function requireValue(value: string | undefined, sentence: string): string {
  if (value === undefined) throw new UsageError(sentence)
  return value
}
