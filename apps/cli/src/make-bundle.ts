/**
 * Bundles the command line, where its sources have changed since the last time: a few files instead of sixty,
 * which takes half the time of a start. Run by `npm start`, `npm test` and `npm run bench`; until then, and
 * after every change, the command line runs from its sources (`fresh-bundle.ts`).
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { rolldown } from 'rolldown'
import { builtFromName, bundleFolder, freshBundle, type SourceFile } from '#fresh-bundle.ts'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'node_modules')

export type BundleRequest = {
  folder: string
  /** Name of a file of the bundle → the module that it stands for. */
  entries: Readonly<Record<string, string>>
  /**
   * Modules that stand in one file with everything that they import; what is imported when it is needed stays
   * apart.
   */
  together: RegExp
}

/** Writes a bundle into a folder and, last, of which files it is made. */
export async function makeBundle({ folder, entries, together }: BundleRequest): Promise<void> {
  const sources: SourceFile[] = []
  const note = (path: string) => {
    const { mtimeMs, size } = statSync(path)
    sources.push([path, mtimeMs, size])
  }
  // Packages of others change when they are installed, and then npm writes its list of them.
  note(join(packages, '.package-lock.json'))
  note(import.meta.filename)
  // Noted before it is read: whatever changes later makes the bundle stale.
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
    // Started by its path, as it stands beside the module that starts it.
    'range-thread': join(root, 'packages/engine-node/src/range-thread.mjs'),
  },
  together: /apps.cli.src.(run|commands.validate)\.ts$/,
}

if (import.meta.main && freshBundle() === null) {
  try {
    await makeBundle({ ...commandLine, folder: bundleFolder })
  } catch (error) {
    // A folder that cannot be written, say: nothing is lost but time.
    console.error(`The command line was not bundled, and runs from its sources: ${(error as Error).message}`)
  }
}
