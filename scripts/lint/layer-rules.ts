import { type LayerRule, noParents } from './layer-rule.ts'
import { packageLayers } from './package-layers.ts'
import { serverLayers } from './server-layers.ts'
import { webLayers } from './web-layers.ts'

const commandLine: LayerRule = {
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
export const layerRules: readonly LayerRule[] = [...packageLayers, ...serverLayers, ...webLayers, commandLine]
