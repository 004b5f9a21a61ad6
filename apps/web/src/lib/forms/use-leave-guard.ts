import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { confirm, type Question } from './confirm.ts'

/** What would be lost by leaving now, one question per guard; read by `mayLeave`. */
const openQuestions = new Set<Question>()

/** Asks every open question, for what leaves without changing the address first (logging out). True when nothing is held back. */
export async function mayLeave(): Promise<boolean> {
  for (const question of openQuestions) if (!(await confirm(question))) return false
  return true
}

/**
 * While `active`, asks `question` before another screen is opened, and lets the browser ask before the tab is closed.
 * The way to the login page is free: who gets there has ended or lost the session, and nothing can be saved any more.
 * `question` must keep its identity (a constant).
 */
export function useLeaveGuard(active: boolean, question: Question, freePath = '/login'): void {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      active && nextLocation.pathname !== freePath && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state === 'blocked') void confirm(question).then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker, question])
  useEffect(() => {
    if (!active) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    openQuestions.add(question)
    addEventListener('beforeunload', ask)
    return () => {
      openQuestions.delete(question)
      removeEventListener('beforeunload', ask)
    }
  }, [active, question])
}
