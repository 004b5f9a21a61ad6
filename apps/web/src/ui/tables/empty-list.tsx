import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'

export type EmptyListProps = {
  title: string
  /** What the list will show; used without a search. */
  text: string
  searchText: string
  onClearSearch: () => void
  action?: ReactNode
}

/** Shown in place of an empty list: there is nothing yet, or the search found nothing. */
export function EmptyList({ title, text, searchText, onClearSearch, action }: EmptyListProps) {
  if (searchText === '')
    return <NoticeBlock picture={<SheetPicture />} title={title} text={text} action={action} />
  const clear = (
    <Button variant="default" onClick={onClearSearch}>
      Clear search
    </Button>
  )
  return (
    <NoticeBlock
      picture={<SheetPicture />}
      title={title}
      text={`Nothing matches '${searchText}'.`}
      action={clear}
    />
  )
}
