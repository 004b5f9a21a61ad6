/** `veridict --version`. */
import { print } from '#commands/print.ts'
import { commit, version } from '#version.ts'

await print(`veridict ${version}${commit === 'unknown' ? '' : ` (${commit})`}`)
