// `npm run fix`: repairs what the linter can repair, and formats everything.
import { bootstrap } from './bootstrap.mjs'
import { runTool } from './bootstrap/run-tool.mjs'

await bootstrap()
for (const words of [
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--fix'],
  ['node_modules/oxfmt/bin/oxfmt', '.'],
]) {
  await runTool(words, { stdio: 'inherit' })
}
