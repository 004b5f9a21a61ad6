import { noticeMessages } from '@veridict/contract/messages/notices'
import { paths } from '#app/paths.ts'
import { NoticeBlock } from '#ui/feedback/notice-block.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'

export function NotFound() {
  return (
    <>
      <title>{`${noticeMessages.nothingHereTitle} · Veridict`}</title>
      <NoticeBlock
        level={1}
        picture="quiet"
        title={noticeMessages.nothingHereTitle}
        text="The page you asked for does not exist, or it is not meant for your account."
        action={<ActionButton label={noticeMessages.goHome} to={paths.root} />}
      />
    </>
  )
}
