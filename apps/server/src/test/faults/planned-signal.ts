import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PortalGroup } from '#test/faults/portal-group.ts'
import type { PlannedSignal } from '#test/faults/preload.ts'
import type { PortalProcess } from '#test/portal-process.ts'

const preload = fileURLToPath(new URL('./preload.ts', import.meta.url))

/** Starts a portal that `planSignal` can freeze or kill at one of its calls. */
export const startWithPreload = (group: PortalGroup): Promise<PortalProcess> =>
  group.start({}, undefined, { preload })

/** Resolves when the portal has the plan. */
export async function planSignal({ child }: PortalProcess, plan: PlannedSignal): Promise<void> {
  child.send(plan)
  await once(child, 'message')
}
