import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string
  /** `git archive` writes it into the sources of a release; in a checkout it is no commit. */
  commit?: string
}

/** The version of this program: SemVer, in the package.json of the project and nowhere else. */
export const { version } = manifest

/** The commit of this program, or "unknown". */
export const commit = readCommit()

/** From the sources of a release, from the image (`COMMIT`), or from the checkout, which takes git 3 ms. */
function readCommit(): string {
  const archived = /^[0-9a-f]{12}/.exec(manifest.commit ?? '')
  if (archived) return archived[0]
  if (process.env.COMMIT) return process.env.COMMIT
  // Otherwise git would take the checkout of a folder above, if there is one; and none of another account.
  if (!existsSync(new URL('.git', root))) return 'unknown'
  try {
    const git = execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', '--short=12', 'HEAD'], {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return git.trim()
  } catch {
    return 'unknown'
  }
}
