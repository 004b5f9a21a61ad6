import { camelCase } from '#db/database.ts'
import { PostgresReference } from '#simulation/postgres-reference.ts'
import { runSimulation, virtualTime } from '#simulation/run-simulation.ts'
import { settings, livesOf } from '#simulation/settings.ts'
import { installVirtualTime } from '#simulation/virtual-time.ts'

// Runs simulations on the model and on PostgreSQL at once, and prints the differences as JSON. This is a
// program of its own because it replaces the clock of the whole process.
const [url = '', seed = '1', count = '10'] = process.argv.slice(2)
const reference = await PostgresReference.open(url)
const plugins = [camelCase]
installVirtualTime(() => virtualTime)
const digests: number[] = []
/** The digests of the same simulations without PostgreSQL. */
const digestsAlone: number[] = []
for (let number = 0; number < Number(count); number++) {
  const result = await runSimulation(
    Number(seed),
    number,
    livesOf(number),
    { ...settings, plugins },
    async (simulation) => {
      await reference.begin(simulation.database.now)
      simulation.database.reference = reference
      return {
        afterEvent: () => reference.whenIdle(),
        end: () => reference.compareTables(simulation.database.model),
      }
    },
  )
  digests.push(result.digest)
  digestsAlone.push((await runSimulation(Number(seed), number, livesOf(number), settings)).digest)
}
await reference.close()
const { differences, statementCount: statements, waitCount: waits } = reference
console.log(
  JSON.stringify({ differences: differences.slice(0, 10), statements, waits, digests, digestsAlone }),
)
