import { Button } from '@mantine/core'
import { Component, type ReactNode, useEffect } from 'react'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'

/** Shown when a screen throws or its code cannot be loaded (a new version was installed meanwhile). */
export function BrokenScreen({ error }: { error: unknown }) {
  useEffect(() => console.error(error), [error])
  return (
    <NoticeBlock
      level={1}
      picture="wrong"
      title="This page could not be shown"
      text="Loading it again usually helps. If it does not, contact the administrator."
      action={<Button onClick={() => location.reload()}>Load again</Button>}
    />
  )
}

type Caught = { error: unknown } | null

/** Shows the broken screen for what is not on a route. React has error boundaries as classes only. */
export class BrokenScreenBoundary extends Component<{ children: ReactNode }, { caught: Caught }> {
  override state = { caught: null as Caught }

  static getDerivedStateFromError = (error: unknown) => ({ caught: { error } })

  override render(): ReactNode {
    const { caught } = this.state
    return caught === null ? this.props.children : <BrokenScreen error={caught.error} />
  }
}
