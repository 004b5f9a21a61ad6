import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useEffect, useSyncExternalStore } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'
import type { Question } from '#lib/forms/confirm.ts'
import { isGuarded, confirmLeaving, useLeaveGuard } from '#lib/forms/use-leave-guard.ts'
import { isUploading } from '#lib/http/upload.ts'
import { patterns } from './paths.ts'

/** The question before an upload is given up. Spec §9. */
const uploadGoesOn: Question = {
  title: 'Upload in progress',
  text: dialogMessages.leaveUploadText,
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
}

/**
 * The way to the login page is free: who gets there has ended or lost the session, and nothing can be saved
 * any more.
 */
const holdsBack: BlockerFunction = ({ currentLocation, nextLocation }) =>
  isGuarded() &&
  nextLocation.pathname !== currentLocation.pathname &&
  nextLocation.pathname !== patterns.login

/**
 * Asks before another screen is opened while something would be lost: an upload that goes on, or whatever a
 * screen guards (`useLeaveGuard`). The only blocker of the router, which can have no second one.
 */
export function LeaveBlocker() {
  const blocker = useBlocker(holdsBack)
  useLeaveGuard(useSyncExternalStore(isUploading.subscribe, isUploading.get), uploadGoesOn)
  useEffect(() => {
    if (blocker.state === 'blocked')
      void confirmLeaving().then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  return null
}
