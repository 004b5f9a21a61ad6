import type { KeyboardEvent } from 'react'
import type { HeldField } from './use-held-field.ts'

/**
 * Moves a field by keyboard: space or enter picks it up and puts it down, arrows move it, escape cancels.
 */
export const keyboardOrder =
  (field: HeldField) => (id: number, grip: HTMLElement, event: KeyboardEvent<HTMLElement>) => {
    const isHeld = field.heldId === id
    const move = (step: number) => {
      field.moveTo(field.held().index + step, grip)
      grip.scrollIntoView({ block: 'nearest' })
    }
    const act: Record<string, (() => void) | undefined> = {
      ' ': () => (isHeld ? field.putDown() : field.pickUp(id)),
      Enter: () => (isHeld ? field.putDown() : field.pickUp(id)),
      ArrowUp: isHeld ? () => move(-1) : undefined,
      ArrowDown: isHeld ? () => move(1) : undefined,
      Escape: isHeld ? () => field.takeBack() : undefined,
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }
