import { describe, expect, it } from 'vitest'
import { trackedTexts } from './tracked-texts.ts'

/** What the product's code may not do, tests aside. Planted texts are in pieces: they must not match here. */
const guards: { does: string; files: RegExp; pattern: RegExp; planted: string; advice: string }[] = [
  {
    does: 'runs a text as code',
    // These two load the bundled command line, whose files they find in the folder of the installation.
    files: /^(?:apps|packages)\/(?!cli\/src\/(?:fresh-bundle|write-code)\.ts)/,
    pattern: /(?<![\w.])eval\s*\(|\bnew Function\s*\(|\bimport\(\s*`|node:vm\b/,
    planted: `ev${''}al(text)`,
    advice: 'Write what should happen as code.',
  },
  {
    does: 'shows a text as HTML',
    files: /^apps\/web\//,
    pattern: /dangerouslySet|\.(?:inner|outer)HTML\s*=[^=]|insertAdjacentHTML|document\.write\b/,
    planted: `element.inner${''}HTML = name`,
    advice: 'React shows texts as texts.',
  },
  {
    does: 'puts a text into SQL',
    // `migrate.ts` runs the statements of migrations; tests have some of their own.
    files: /^apps\/server\/src\/(?!platform\/database\/migrate\.ts|test\/)/,
    pattern: /\bsql\.(?:raw|lit)\(\s*(?!most\)|`\$\[0 to)/,
    planted: `sql.r${''}aw(name)`,
    advice: 'Every value is a parameter: sql`… ${value} …`.',
  },
  {
    does: 'runs a command in a shell',
    files: /^(?:apps|packages)\//,
    pattern: /\bexecSync\(|(?<![.\w])exec\(|\bshell:\s*true/,
    planted: `exec${''}Sync(\`rm \${name}\`)`,
    advice: 'Use spawn with a list of arguments.',
  },
  {
    does: 'makes something secret with Math.random',
    files: /^apps\/server\/src\/(?!platform\/database\/transaction\.ts|test\/)/,
    pattern: /\bMath\.random\b/,
    planted: `const token = Math.ran${''}dom()`,
    advice: 'Use node:crypto.',
  },
  {
    does: 'hashes with MD5 or SHA-1',
    files: /^(?:apps|packages)\//,
    pattern: /createH(?:ash|mac)\(\s*['"`](?:md5|sha1)\b/i,
    planted: `createHash('m${''}d5')`,
    advice: 'Use SHA-256.',
  },
  {
    does: 'does not check a certificate',
    files: /^(?:apps|packages)\//,
    pattern: /rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED/,
    planted: `{ rejectUnautho${''}rized: false }`,
    advice: 'Trust the authority that signed it (NODE_EXTRA_CA_CERTS).',
  },
]

describe.for(guards)('Code of the product that $does', ({ files, pattern, planted, advice }) => {
  it('is found where it is planted', () => {
    expect(planted).toMatch(pattern)
  })

  it('does not exist', () => {
    const found = trackedTexts
      .filter(({ file }) => files.test(file) && /\.(?:ts|tsx|mjs)$/.test(file) && !file.includes('.test.ts'))
      .filter(({ text }) => pattern.test(text))
      .map(({ file, text }) => `${file}: ${pattern.exec(text)?.[0]}`)
    expect(found, advice).toEqual([])
  })
})
