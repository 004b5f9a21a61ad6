import { ActionIcon, Anchor, Group, Menu, Modal, Skeleton } from '@mantine/core'
import { IconBraces, IconChevronDown, IconFileExport, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { exportDictionary } from '@veridict/contract/api/dictionaries'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { tableSchemaStandard } from '@veridict/contract/messages/table-schema'
import { openDialog } from '#lib/forms/open-dialog.tsx'
import { announce, errorNotice } from '#lib/http/announce.tsx'
import { download, saveFile, useTemplateDownload } from '#lib/http/download.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { ActionButton } from '#ui/forms/action-button.tsx'
import { MenuEntry } from '#ui/menus/menu-entry.tsx'
import { tableSchemaQuery } from './api.ts'
import classes from './export-menu.module.css'

export type ExportMenuProps = {
  dictionary: { id: number; name: string }
  /** There is no template without fields. */
  hasFields: boolean
}

/** Downloads the workbook of a dictionary; the arrow opens the other downloads. */
export function ExportMenu({ dictionary, hasFields }: ExportMenuProps) {
  const exporting = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      if (!Number.isSafeInteger(dictionary.id)) return announce(errorNotice(dictionaryMessages.invalidId))
      await download(exportDictionary, { params: { id: dictionary.id } })
    },
    onError: (error) => {
      console.error(error)
      announce(errorNotice(dictionaryMessages.exportFailed))
    },
  })
  const template = useTemplateDownload()
  return (
    <div className={classes.split}>
      <ActionButton
        label="Export to Excel"
        variant="default"
        Icon={IconFileExport}
        isBusy={exporting.isPending}
        onClick={() => exporting.mutate()}
      />
      <Menu width={320} position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            className={classes.more}
            aria-label="More downloads"
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
            onClick={() => openDialog(TableSchemaDialog, { dictionary })}
          />
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

type TableSchemaDialogProps = { dictionary: { id: number; name: string }; onClose: () => void }

/** A dictionary as a Table Schema, with what other programs will do differently above the download. */
function TableSchemaDialog({ dictionary, onClose }: TableSchemaDialogProps) {
  const schema = useQuery(tableSchemaQuery(dictionary.id))
  const { data } = schema
  return (
    <Modal opened onClose={onClose} title="Export as Table Schema" size={580}>
      <p className={classes.lead}>
        A JSON file in the open standard{' '}
        <Anchor href={tableSchemaStandard} target="_blank" rel="noreferrer" inherit underline="always">
          Table Schema
        </Anchor>
        , which many other programs read. A data dictionary that is created from it here is equal to{' '}
        {dictionary.name}.
      </p>
      {schema.isError ? (
        <LoadFailure what="The Table Schema" query={schema} />
      ) : (
        <>
          <h3 className={classes.heading}>What other programs will do differently</h3>
          {data === undefined ? (
            <Skeleton height={96} radius={8} role="status" aria-label="Loading" />
          ) : (
            <ul className={classes.notes} aria-label="Differences">
              {data.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Group justify="flex-end" gap={10} mt={26}>
            <ActionButton label="Cancel" variant="default" onClick={onClose} />
            <ActionButton
              label="Download"
              disabled={data === undefined}
              onClick={() => {
                if (data !== undefined) saveFile(data.file)
                onClose()
              }}
            />
          </Group>
        </>
      )}
    </Modal>
  )
}
