import { checkNumberedTests } from './numbered-tests.ts'

checkNumberedTests('docs/FAULTS.md', { prefix: 'F', last: 39 })
