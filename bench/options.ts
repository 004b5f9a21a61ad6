import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

type ValuesOf<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowNegative: true }>
>['values']

/** Reads the options of a command. Ends the process after `--help` and after invalid options. */
export function readOptions<const Options extends ParseArgsOptionsConfig, Read>(
  usage: string,
  options: Options,
  read: (values: ValuesOf<Options>) => Read,
): Read {
  try {
    const all = { ...options, help: { type: 'boolean' } } as const
    const { values } = parseArgs({ allowNegative: true, options: all })
    if ((values as { help?: boolean }).help) end(usage, 0)
    return read(values as ValuesOf<Options>)
  } catch (error) {
    return end(`${(error as Error).message}\n\n${usage}`, 2)
  }
}

function end(text: string, exitCode: number): never {
  console.log(text)
  process.exit(exitCode)
}

/** Of names with commas between them, in the order of `known`; all of them where none are given. */
export function namesIn<Name extends string>(list: string | undefined, known: readonly Name[]): Name[] {
  const names = list?.split(',') ?? known
  const unknown = names.filter((name) => !known.some((each) => each === name))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  return known.filter((name) => names.includes(name))
}

export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--${name} takes a whole number from 1 on, not "${text}".`)
  return Number(text)
}
