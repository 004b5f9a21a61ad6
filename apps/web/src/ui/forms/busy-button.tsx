import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentProps, useEffect, useRef } from 'react'

export type BusyButtonProps = Omit<ButtonProps, 'loading'> &
  Pick<ComponentProps<'button'>, 'type' | 'onClick' | 'children'> & { isBusy: boolean }

/** Starts a call, and shows that the response is pending. */
export const BusyButton = ({ isBusy, ...props }: BusyButtonProps) => (
  <Button ref={useFocusAfterWait(isBusy)} loading={isBusy} {...props} />
)

/**
 * For a button that is disabled while its call runs, and so loses the focus: focuses it again when one of
 * `waits` ends, unless another element has the focus.
 */
export function useFocusAfterWait(...waits: boolean[]) {
  const button = useRef<HTMLButtonElement>(null)
  const before = useRef(waits)
  useEffect(() => {
    const hasEnded = before.current.some((wasWaiting, index) => wasWaiting && !waits[index])
    before.current = waits
    if (hasEnded && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  })
  return button
}
