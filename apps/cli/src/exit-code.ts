/** The exit codes of the command line. `Failed`: wrong arguments, or a failure of machine or portal. */
export const ExitCode = { Passed: 0, NotPassed: 1, Failed: 2 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** A command that cannot be run as given: its message goes to stderr, the exit code is 2. */
export class UsageError extends Error {}

/** A command could not do its work with a portal. The message goes to stderr, the exit code is 2. */
export class PortalError extends Error {}

/** The token does not reach the call. */
export class NotAllowedError extends PortalError {}

/** The portal cannot be reached at the moment. */
export class UnreachableError extends PortalError {}

// Not imported: see fresh-bundle.ts.
const { lstatSync, readlinkSync, realpathSync, statSync } = process.getBuiltinModule('node:fs')
const { basename, dirname, resolve } = process.getBuiltinModule('node:path')

/** Runs `open`; throws `UsageError` with a sentence if the path, or another one, cannot be opened. */
export async function openOrRefuse<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const { code, path: failed = path } = error as NodeJS.ErrnoException
    throw new UsageError(`${failed} cannot be opened: ${reasons[String(code)] ?? error.message}.`)
  }
}

/** Throws `UsageError`, which says what `file` is, if both paths lead to the same file. */
export async function refuseSameFile(
  file: string,
  out: string,
  role = 'the file itself, which is never changed',
): Promise<void> {
  const [source, target] = [
    await openOrRefuse(file, () => identityOf(resolve(file))),
    await openOrRefuse(out, () => identityOf(resolve(out))),
  ]
  if (source === target) throw new UsageError(`${out} is ${role}.`)
}

/** Throws `UsageError` if `out` leads to a file that the command reads. */
export async function refuseInputs(out: string, inputs: { file: string; dictionary: string }): Promise<void> {
  await refuseSameFile(inputs.file, out)
  await refuseSameFile(inputs.dictionary, out, 'the dictionary, which is never changed')
}

/** Device and inode of a file; for a file that does not exist yet, those of its folder, and its name. */
function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined) return `${stats.dev}:${stats.ino}`
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink) return identityOf(resolve(realpathSync(dirname(path)), readlinkSync(path)))
  return `${identityOf(dirname(path))}/${basename(path)}`
}

/** Throws `UsageError` if the text of a file is not JSON. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
}
