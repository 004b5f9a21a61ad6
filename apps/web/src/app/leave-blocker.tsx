import { dialogMessages } from '@veridict/contract/messages/dialogs'
import { useEffect, useSyncExternalStore } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'
import type { Question } from '#lib/forms/confirm.ts'
import { isGuarded, confirmLeaving, useLeaveGuard } from '#lib/forms/use-leave-guard.ts'
import { isUploading } from '#lib/http/upload.ts'
import { patterns } from './paths.ts'

const uploadInProgress: Question = {
  title: 'Upload in progress',
  text: dialogMessages.leaveUploadText,
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
}

/** Navigation to the login page is never blocked: the session is over, so nothing can be saved any more. */
const shouldBlock: BlockerFunction = ({ currentLocation, nextLocation }) =>
  isGuarded() &&
  nextLocation.pathname !== currentLocation.pathname &&
  nextLocation.pathname !== patterns.login

/**
 * Asks before navigation that would lose an upload in progress or what a screen guards (`useLeaveGuard`).
 * The router supports one blocker only, and this is it. See docs/BEHAVIOUR.md#forms.
 */
export function LeaveBlocker() {
  const blocker = useBlocker(shouldBlock)
  useLeaveGuard(useSyncExternalStore(isUploading.subscribe, isUploading.get), uploadInProgress)
  useEffect(() => {
    if (blocker.state === 'blocked')
      void confirmLeaving().then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  return null
}
