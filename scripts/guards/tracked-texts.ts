import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

const TEXT_ENDINGS = /\.(ts|tsx|mjs|js|json|jsonc|md|css|html|yml|yaml|sh|sql|svg|csv|txt)$/
const TEXT_NAMES = /(^|\/)(\.ci\/run|Containerfile|Caddyfile|\.[a-z]+rc)$/
const isText = (file: string) => TEXT_ENDINGS.test(file) || TEXT_NAMES.test(file)

/** Every text file that git tracks, with its content. */
export const trackedTexts = execFileSync(
  'git',
  // git refuses the folder of another user unless it is named as safe.
  ['-c', 'safe.directory=*', 'ls-files', '-z'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter((file) => isText(file) && existsSync(join(ROOT, file)) && lstatSync(join(ROOT, file)).isFile())
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
