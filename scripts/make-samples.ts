// Writes samples/claims-*: node scripts/make-samples.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleFiles } from './samples/sample-files.ts'

const SAMPLES = join(import.meta.dirname, '../samples')
for (const [name, bytes] of Object.entries(sampleFiles())) writeFileSync(join(SAMPLES, name), bytes)
