import { useSyncExternalStore } from 'react'
import { callsInFlight } from '#lib/http/busy-counter.ts'
import classes from './busy-bar.module.css'

/**
 * The global busy indicator: a line along the lower edge of the top bar while any call is in flight. Spec §4.
 */
export function BusyBar() {
  const isBusy = useSyncExternalStore(callsInFlight.subscribe, () => callsInFlight.get() > 0)
  return <div className={classes.bar} data-busy={isBusy || undefined} aria-hidden="true" />
}
