/** Of names with commas between them; in the order of `known`. */
export function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  const names = list.split(',')
  const unknown = names.filter((name) => !known.some((each) => each === name))
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  return known.filter((name) => names.includes(name))
}

export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`--${name} takes a whole number from 1 on, not "${text}".`)
  return Number(text)
}

export function end(text: string, exitCode: number): never {
  console.log(text)
  process.exit(exitCode)
}
