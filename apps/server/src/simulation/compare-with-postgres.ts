import { CamelCasePlugin } from 'kysely'
import { PostgresTwin } from '#simulation/postgres-twin.ts'
import { runWorld, virtualTime } from '#simulation/run-world.ts'
import { surroundings, livesOf } from '#simulation/surroundings.ts'
import { installVirtualTime } from '#simulation/virtual-time.ts'

// Runs worlds on the model and on PostgreSQL at once, and prints what differs as JSON. A program of its own,
// because it replaces the clock of the whole process.
const [url = '', seed = '1', count = '10'] = process.argv.slice(2)
const twin = await PostgresTwin.open(url)
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
installVirtualTime(() => virtualTime)
const digests: number[] = []
const alone: number[] = []
for (let number = 0; number < Number(count); number++) {
  const ending = await runWorld(
    Number(seed),
    number,
    livesOf(number),
    { ...surroundings, plugins },
    async (world) => {
      await twin.begin(world.database.now)
      world.database.twin = twin
      return { afterEvent: () => twin.settled(), end: () => twin.compareTables(world.database.model) }
    },
  )
  digests.push(ending.digest)
  alone.push((await runWorld(Number(seed), number, livesOf(number), surroundings)).digest)
}
await twin.close()
const { differences, statementCount: statements, waitCount: waits } = twin
console.log(JSON.stringify({ differences: differences.slice(0, 10), statements, waits, digests, alone }))
