/** `veridict --version`. */
import { print } from '#commands/print.ts'
import { readCommit, version } from '#version.ts'

const commit = readCommit()
await print(`veridict ${version}${commit === 'unknown' ? '' : ` (${commit})`}`)
