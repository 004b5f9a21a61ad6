import { confirmLeaving } from '#lib/forms/use-leave-guard.ts'
import { logOutEverywhere } from './api.ts'

/** Logs out, after asking where an upload or changes that are not saved would be lost. Spec §9. */
export async function confirmAndLogOut(): Promise<void> {
  if (await confirmLeaving()) await logOutEverywhere()
}
