/**
 * Bundles the command line if its sources have changed: a few files instead of sixty, which halves the time
 * of a start. Run by `npm start`, `npm test` and `npm run bench`; without a fresh bundle the command line
 * runs from its sources (`fresh-bundle.ts`).
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { builtFromName, bundleFolder, freshBundle, type SourceFile } from '#fresh-bundle.ts'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'node_modules')

export type BundleRequest = {
  folder: string
  /** Name of a file of the bundle → its entry module. */
  entries: Readonly<Record<string, string>>
  /** Modules that share one file with all their static imports; dynamic imports get files of their own. */
  together: RegExp
}

/** Writes a bundle into a folder, and the list of its sources last. */
export async function makeBundle({ folder, entries, together }: BundleRequest): Promise<void> {
  const sources: SourceFile[] = []
  const note = (path: string) => {
    const { mtimeMs, size } = statSync(path)
    sources.push([relative(folder, path), mtimeMs, size])
  }
  // Stands for all installed packages: npm writes it whenever one of them changes.
  note(join(packages, '.package-lock.json'))
  note(import.meta.filename)
  // Noted before it is read: a later change makes the bundle stale.
  const load = (id: string) => {
    if (isAbsolute(id) && !id.startsWith(packages)) note(id)
    return null
  }
  const bundle = await rolldown({
    input: { ...entries },
    platform: 'node',
    plugins: [{ name: 'note-sources', load }],
  })
  rmSync(folder, { recursive: true, force: true })
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    codeSplitting: { groups: [{ name: 'core', test: together }] },
  })
  await bundle.close()
  const builtFrom = join(folder, builtFromName)
  writeFileSync(`${builtFrom}.new`, JSON.stringify(sources))
  renameSync(`${builtFrom}.new`, builtFrom)
}

export const commandLine: Omit<BundleRequest, 'folder'> = {
  entries: {
    run: join(import.meta.dirname, 'run.ts'),
    // A thread is started by path, so this file must be beside the module that starts it.
    'range-thread': join(root, 'packages/engine-node/src/range-thread.mjs'),
  },
  together: /apps.cli.src.(run|commands.validate)\.ts$/,
}

if (import.meta.main && freshBundle() === null) {
  try {
    await makeBundle({ ...commandLine, folder: bundleFolder })
  } catch (error) {
    // For example a folder without write permission: only the start becomes slower.
    console.error(
      `The command line could not be bundled and runs from its sources: ${(error as Error).message}`,
    )
  }
}
