import { Anchor, type AnchorProps } from '@mantine/core'
import type { ComponentProps } from 'react'

/** A button that looks like a link. */
export const TextButton = (props: AnchorProps & Omit<ComponentProps<'button'>, keyof AnchorProps>) => (
  <Anchor component="button" type="button" {...props} />
)
