import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)

/** The version of this program: SemVer, in the package.json of the project and nowhere else. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string
}

/** The commit of this program, or "unknown". */
export const commit = readCommit()

/** From the image (`COMMIT`), or from the checkout, which takes git 3 ms. */
function readCommit(): string {
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
