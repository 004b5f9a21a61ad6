import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconHighlight, IconListDetails } from '@tabler/icons-react'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { submissionMessages as texts } from '@veridict/contract/messages/submissions'
import { messageOf } from '#lib/http/call-failure.ts'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import classes from './download-menu.module.css'
import { type ErrorFile, useErrorFile } from './use-error-file.ts'

const entries = [
  { file: 'errors', label: texts.errorsFile, note: 'A list of all errors, for Excel', Icon: IconListDetails },
  {
    file: 'highlighted',
    label: texts.highlightedFile,
    note: 'Your own file, each bad cell marked',
    Icon: IconHighlight,
  },
] as const

export type DownloadMenuProps = {
  submissionId: number
  /** Which files there are; a file whose columns are wrong has no list of errors. */
  files?: readonly ErrorFile[]
  /** How loud its button is. @default 'filled' */
  variant?: 'filled' | 'default'
}

/** The error files of a submission. Spec §2. */
export function DownloadMenu({
  submissionId,
  files = ['errors', 'highlighted'],
  variant = 'filled',
}: DownloadMenuProps) {
  const fetchFile = useErrorFile(submissionId)
  const button = useFocusAfterWait(fetchFile.isPending)
  return (
    <div className={classes.menu}>
      <Menu width={320}>
        <Menu.Target>
          <Button
            ref={button}
            variant={variant}
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
            .map(({ file, label, note, Icon }) => (
              <Menu.Item
                key={file}
                aria-label={label}
                leftSection={<Icon size={20} stroke={1.6} aria-hidden />}
                onClick={() => fetchFile.mutate(file)}
              >
                {label}
                <span className={classes.note}>{note}</span>
              </Menu.Item>
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
