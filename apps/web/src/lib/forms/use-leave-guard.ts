import { useEffect } from 'react'
import { confirm, type Question } from './confirm.ts'

const activeQuestions = new Set<Question>()

export const isGuarded = (): boolean => activeQuestions.size > 0

/** Asks the question of each active guard. True if the user agreed to all, or there are none. */
export async function confirmLeaving(): Promise<boolean> {
  for (const question of activeQuestions) if (!(await confirm(question))) return false
  return true
}

/**
 * While `active`, asks `question` before another screen (`app/shell.tsx`) and before logging out
 * (`confirmLeaving`); before the tab closes, the browser asks in its own words. `question` must be a
 * constant.
 */
export function useLeaveGuard(active: boolean, question: Question): void {
  useEffect(() => {
    if (!active) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    activeQuestions.add(question)
    addEventListener('beforeunload', ask)
    return () => {
      activeQuestions.delete(question)
      removeEventListener('beforeunload', ask)
    }
  }, [active, question])
}
