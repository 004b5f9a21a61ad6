import { UsageError } from '#exit-code.ts'

/** Runs `open`; throws `UsageError` with a sentence if the path cannot be opened. */
export async function openOrRefuse<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new UsageError(
      `${path} cannot be opened: ${reasons[String((error as NodeJS.ErrnoException).code)] ?? error.message}.`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
}
