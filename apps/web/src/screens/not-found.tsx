import { Button } from '@mantine/core'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { Link } from 'react-router'
import { paths } from '#app/paths.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { SheetPicture } from '#ui/feedback/sheet-picture.tsx'

export function NotFound() {
  return (
    <>
      <title>{`${noticeMessages.nothingHereTitle} · Veridict`}</title>
      <NoticeBlock
        level={1}
        picture={<SheetPicture />}
        title={noticeMessages.nothingHereTitle}
        text="The page you asked for does not exist, or it is not meant for your account."
        action={
          <Button component={Link} to={paths.root}>
            {noticeMessages.goHome}
          </Button>
        }
      />
    </>
  )
}
