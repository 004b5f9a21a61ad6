import { printLine } from '#commands/print-line.ts'
import { commit, version } from '#version.ts'

await printLine(`veridict ${version}${commit === 'unknown' ? '' : ` (${commit})`}`)
