import { type Floor, noParents } from './floor.ts'
import { packageFloors } from './package-floors.ts'
import { serverFloors } from './server-floors.ts'
import { webFloors } from './web-floors.ts'

const commandLine: Floor = {
  folder: 'apps/cli',
  refusals: [
    noParents,
    {
      group: [
        '@veridict/server',
        '@veridict/server/**',
        '@veridict/web',
        '@veridict/web/**',
        'fastify',
        'react',
      ],
      message: 'The command line is the engine without the portal.',
    },
  ],
}

/** Who may import whom, everywhere in the project. */
export const floors: readonly Floor[] = [...packageFloors, ...serverFloors, ...webFloors, commandLine]
