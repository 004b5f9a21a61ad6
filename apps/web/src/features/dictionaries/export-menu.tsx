import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconBraces, IconChevronDown, IconFileExport, IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTemplateDownload } from '#lib/http/use-template-download.ts'
import { useFocusAfterWait } from '#ui/forms/use-focus-after-wait.ts'
import { MenuEntry } from '#ui/menus/menu-entry.tsx'
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
          <MenuEntry
            label="Download template"
            note="A blank workbook for people to fill in"
            Icon={IconFileSpreadsheet}
            disabled={!hasFields}
            onClick={() => template.mutate(dictionary.id)}
          />
          <MenuEntry
            label="Export as Table Schema"
            note="An open standard, for other programs"
            Icon={IconBraces}
            onClick={() => setIsSchemaOpen(true)}
          />
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
