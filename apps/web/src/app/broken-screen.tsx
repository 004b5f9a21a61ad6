import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'

/** Shown when a screen throws or its code cannot be loaded (a new version was installed meanwhile). */
export function BrokenScreen() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <NoticeBlock
      level={1}
      picture={<SheetPicture tone="wrong" />}
      title="This page could not be shown"
      text="Loading it again usually helps. If it does not, contact the administrator."
      action={<Button onClick={() => location.reload()}>Load again</Button>}
    />
  )
}
