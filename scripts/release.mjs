// `npm run release`: image, sources, chart, list of packages, notes and checksums of this version, in dist/.
// Needs Buildah, which builds without a daemon. The same commit and base image give the same files, but for
// the code that V8 compiled in the image, which has a random seed.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, root } from './bootstrap.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json'))
const name = `veridict-${version}`
const folder = join(root, 'dist', name)
const quietly = { cwd: root, encoding: 'utf8' }
const git = (...args) => execFileSync('git', args, quietly).trim()
const run = (program, ...args) => execFileSync(program, args, { cwd: root, stdio: 'inherit' })

function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** The section of CHANGELOG.md about this version. */
function readNotes() {
  const [, ...sections] = read('CHANGELOG.md').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version}\n`))
  if (section === undefined) refuse(`CHANGELOG.md has no section ${version}.`)
  return String(section).trim()
}

if (git('status', '--porcelain') !== '') refuse('Commit first: a release is made of a commit.')
const notes = readNotes()
await bootstrap()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const committedAt = git('log', '-1', '--format=%ct')
const commit = git('rev-parse', '--short=12', 'HEAD')

// Docker's format, because OCI's has no health checks. A base image that is there is not asked for again.
const options = [
  '--format=docker',
  '--pull=false',
  '--no-cache',
  `--timestamp=${committedAt}`,
  `--build-arg=COMMIT=${commit}`,
]
run('buildah', 'build', ...options, '--file=Containerfile', `--tag=veridict:${version}`, '.')
run(
  'buildah',
  'push',
  `veridict:${version}`,
  `docker-archive:${folder}/${name}-image.tar:veridict:${version}`,
)
run('git', 'archive', `--prefix=${name}/`, '-o', join(folder, `${name}-sources.tgz`), 'HEAD')
const packing = ['--sort=name', `--mtime=@${committedAt}`, '--owner=0', '--group=0', '--numeric-owner']
const chart = ['--use-compress-program=gzip -n', '--transform=s,^deploy/helm,veridict,', 'deploy/helm']
run('tar', '-cf', join(folder, `${name}-chart.tgz`), ...packing, ...chart)
writeFileSync(join(folder, `${name}.cdx.json`), execFileSync('npm', ['run', '-s', 'sbom'], quietly))
writeFileSync(join(folder, `${name}-notes.md`), `## ${notes}\n`)
const sums = readdirSync(folder).map((file) => {
  const hash = createHash('sha256').update(readFileSync(join(folder, file)))
  return `${hash.digest('hex')}  ${file}\n`
})
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`${folder}\n${sums.join('')}`)
