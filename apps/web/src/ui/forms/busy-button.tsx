import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useFocusAfterWait } from './use-focus-after-wait.ts'

export type BusyButtonProps = Omit<ButtonProps, 'loading'> &
  Pick<ComponentProps<'button'>, 'type' | 'onClick' | 'children'> & { isBusy: boolean }

/** Starts a call, and shows that the response is pending. */
export const BusyButton = ({ isBusy, ...props }: BusyButtonProps) => (
  <Button ref={useFocusAfterWait(isBusy)} loading={isBusy} {...props} />
)
