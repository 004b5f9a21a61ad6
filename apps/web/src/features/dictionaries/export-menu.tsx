import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBraces, IconChevronDown, IconFileExport, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTemplateDownload } from '#lib/http/use-template-download.ts'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { useExportDictionary } from './api.ts'
import classes from './export-menu.module.css'
import { TableSchemaDialog } from './table-schema-dialog.tsx'

export type ExportMenuProps = {
  dictionary: { id: number; name: string }
  /** There is no template without fields. */
  hasFields: boolean
}

/** Downloads the workbook of a dictionary; the arrow opens the other downloads. */
export function ExportMenu({ dictionary, hasFields }: ExportMenuProps) {
  const [isSchemaOpen, setIsSchemaOpen] = useState(false)
  const exporting = useExportDictionary()
  const template = useTemplateDownload()
  const exportButton = useFocusAfterWait(exporting.isPending)
  const moreButton = useFocusAfterWait(template.isPending)
  return (
    <div className={classes.split}>
      <Button
        variant="default"
        leftSection={<IconFileExport size={18} stroke={1.8} aria-hidden />}
        ref={exportButton}
        loading={exporting.isPending}
        onClick={() => exporting.mutate(dictionary.id)}
      >
        Export to Excel
      </Button>
      <Menu width={320} position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            className={classes.more}
            aria-label="More downloads"
            ref={moreButton}
            loading={template.isPending}
          >
            <IconChevronDown size={16} stroke={2} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            aria-label="Download template"
            leftSection={<IconFileSpreadsheet size={20} stroke={1.6} aria-hidden />}
            disabled={!hasFields}
            onClick={() => template.mutate(dictionary.id)}
          >
            Download template
            <span className={classes.note}>A blank workbook for people to fill in</span>
          </Menu.Item>
          <Menu.Item
            aria-label="Export as Table Schema"
            leftSection={<IconBraces size={20} stroke={1.6} aria-hidden />}
            onClick={() => setIsSchemaOpen(true)}
          >
            Export as Table Schema
            <span className={classes.note}>An open standard, for other programs</span>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TableSchemaDialog
        dictionary={dictionary}
        isOpen={isSchemaOpen}
        onClose={() => setIsSchemaOpen(false)}
      />
    </div>
  )
}
