import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconHighlight, IconListDetails } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { downloadErrorsFile, downloadHighlightedFile } from '@veridict/contract/api/error-files'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { correctedMessages } from '@veridict/contract/messages/report'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { messageOf } from '#lib/http/call-failure.ts'
import { download } from '#lib/http/download.ts'
import { MenuEntry } from '#ui/menus/menu-entry.tsx'
import classes from './download-menu.module.css'

const entries = [
  {
    file: 'errors',
    errors: { label: texts.errorsFile, note: correctedMessages.errorsFor },
    warnings: { label: texts.warningsFile, note: correctedMessages.warningsFor },
    Icon: IconListDetails,
  },
  {
    file: 'highlighted',
    errors: { label: texts.highlightedFile, note: correctedMessages.highlightedFor },
    warnings: { label: texts.highlightedWarningsFile, note: correctedMessages.highlightedWarningsFor },
    Icon: IconHighlight,
  },
] as const

type ErrorFile = 'errors' | 'highlighted'
const calls = { errors: downloadErrorsFile, highlighted: downloadHighlightedFile } as const

/** Fetches an error file. The menu shows a failure itself, so there is no notice. */
const useErrorFile = (id: number) =>
  useMutation({
    meta: { quiet: true },
    mutationFn: (file: ErrorFile) => download(calls[file], { params: { id } }),
    onError: (error) => console.error(error),
  })

export type DownloadMenuProps = {
  submissionId: number
  /** The files to offer; a file with wrong columns has no list of errors. */
  files?: readonly ErrorFile[]
  /** What they list. @default 'errors' */
  of?: 'errors' | 'warnings'
}

/** Downloads the files made of a submission. See docs/BEHAVIOUR.md#downloads. */
export function DownloadMenu({
  submissionId,
  files = ['errors', 'highlighted'],
  of = 'errors',
}: DownloadMenuProps) {
  const fetchFile = useErrorFile(submissionId)
  return (
    <div className={classes.menu}>
      <Menu width={350}>
        <Menu.Target>
          <Button
            variant="default"
            loading={fetchFile.isPending}
            leftSection={<IconDownload size={18} stroke={2} aria-hidden />}
            rightSection={<IconChevronDown size={16} stroke={2} aria-hidden />}
          >
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {entries
            .filter(({ file }) => files.includes(file))
            .map(({ file, Icon, [of]: entry }) => (
              <MenuEntry key={file} {...entry} Icon={Icon} onClick={() => fetchFile.mutate(file)} />
            ))}
        </Menu.Dropdown>
      </Menu>
      {fetchFile.isError && (
        <p role="alert" className={classes.failure}>
          {messageOf(fetchFile.error) ?? noticeMessages.unexpected}
        </p>
      )}
    </div>
  )
}
