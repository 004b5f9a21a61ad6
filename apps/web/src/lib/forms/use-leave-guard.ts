import { useEffect } from 'react'
import { confirm, type Question } from './confirm.ts'

/** What would be lost by leaving now, one question per guard. */
const openQuestions = new Set<Question>()

/** Whether anything would be lost by leaving now. */
export const isGuarded = (): boolean => openQuestions.size > 0

/** Asks every open question. True when nothing is held back. */
export async function confirmLeaving(): Promise<boolean> {
  for (const question of openQuestions) if (!(await confirm(question))) return false
  return true
}

/**
 * While `active`, `question` stands before every way out of the screen: another screen (`app/leave-blocker`,
 * the one blocker that a router can have), logging out (`confirmLeaving`), and closing the tab, where the browser
 * asks in its own words. `question` must keep its identity (a constant).
 */
export function useLeaveGuard(active: boolean, question: Question): void {
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
