// Ends a program with one sentence where Node cannot run this project. Imported first by the command line and
// by vitest.config.ts, so it must run on old versions itself.

/** The oldest major version that runs TypeScript as it is, as in `engines` of package.json. */
const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `Veridict needs Node ${OLDEST_NODE} or later, but this is Node ${process.versions.node}: ` +
      'run "npm start" once, then use node_modules/.bin/node (npm and npx find it by themselves).',
  )
  process.exit(2)
}
