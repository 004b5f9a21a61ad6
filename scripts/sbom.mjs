// `npm run -s sbom`: every installed package, as a CycloneDX document (JSON) on standard output.
import { bootstrap } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

// Standard output is for the document alone.
console.log = console.error
await bootstrap()
// Reproducible: without the time and a random number, the same packages give the same document.
const { code } = await runTool(
  ['node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js', '--output-reproducible'],
  { stdio: 'inherit' },
)
process.exit(code)
