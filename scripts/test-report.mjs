import { writeFileSync } from 'node:fs'

/**
 * A reporter of vitest that writes `{ passed, failures }` to the file `TEST_REPORT`. `failures` has a text
 * for each test that did not pass, and for each error outside of tests: in a module, in a hook of a group, or
 * in code that still ran after its test.
 */
export default class TestReport {
  onTestRunEnd(modules, strayErrors) {
    const nodes = modules.flatMap((module) => [module, ...module.children.allSuites()])
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    // No test is skipped on purpose, so a test that did not run counts as failed.
    const failed = tests.filter((test) => test.result().state !== 'passed')
    const failures = [
      ...failed.map((test) => describe(nameOf(test), test.result().errors)),
      ...nodes
        .filter((node) => node.errors().length > 0)
        .map((node) => describe(nameOf(node), node.errors())),
      ...strayErrors.map((error) => describe(`beside ${error.VITEST_TEST_NAME ?? 'the tests'}`, [error])),
    ]
    writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed: tests.length - failed.length, failures }))
  }
}

const nameOf = (node) =>
  node.type === 'module' ? node.relativeModuleId : `${node.module.relativeModuleId}: ${node.fullName}`

const describe = (name, errors) =>
  [name, ...(errors ?? []).map(({ message, stack }) => stack ?? message)].join('\n')
