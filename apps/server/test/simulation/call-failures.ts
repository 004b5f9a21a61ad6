import { ValidatorError } from '#platform/validator/validator.ts'
import type { Host } from '#simulation/create-process.ts'
import { systemError } from '#simulation/memory-storage.ts'
import { type Call, type Failure, takeEffect } from '#simulation/process.ts'

/** A request whose client no longer waits for an object store can take effect within this time. */
const LATE_MILLISECONDS = 30_000

/** How a call fails; null if it does not. */
export function failureOf(call: Call, simulation: Host): Failure | null {
  const { faultPlan, random, down } = simulation
  switch (call.faults) {
    case 'storage':
      if (down.has('storageFull') && /stage|sync|write/.test(call.name))
        return { error: systemError('ENOSPC'), isAfter: false }
      if (down.has('storageAway') || !random.isLikely(faultPlan.storageError)) return null
      return storageFailure(call, simulation)
    case 'mail':
      if (down.has('mail') || random.isLikely(faultPlan.mailUnreachable))
        return { error: new Error('connect ECONNREFUSED'), isAfter: false }
      if (!random.isLikely(faultPlan.mailReplyLost)) return null
      return {
        error: new Error('Connection closed'),
        isAfter: true,
        also: () => simulation.mails.allowResend(call.owner),
      }
    case 'validator':
      if (random.isLikely(faultPlan.validatorCrash)) return validatorFailure('crashed')
      return random.isLikely(faultPlan.validatorTimeout) ? validatorFailure('timeout') : null
    case 'statement':
    case 'autocommit':
    case 'commit':
      return simulation.database.failureOf(call)
    case 'none':
      return null
  }
}

function storageFailure(call: Call, simulation: Host): Failure {
  const error = systemError(simulation.random.oneOf(['EIO', 'EACCES', 'ENOSPC']))
  if (simulation.disk.kind !== 'folder' && simulation.random.isLikely(0.3)) {
    const delay = simulation.random.between(0, LATE_MILLISECONDS)
    const takeEffectLate = () => {
      if (simulation.isTraced) simulation.trace(`done late: ${call.name}`)
      takeEffect(call)
    }
    return { error, isAfter: false, also: () => simulation.schedule.add(delay, null, takeEffectLate) }
  }
  // Naming a file cannot fail after its effect, because writing the name to disk is another step.
  return { error, isAfter: simulation.random.isLikely(0.4) && call.name !== 'storage name' }
}

function validatorFailure(reason: 'crashed' | 'timeout'): Failure {
  return { error: new ValidatorError(reason, 'a fault of the simulation'), isAfter: false }
}
