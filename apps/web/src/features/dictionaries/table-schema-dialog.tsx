import { Anchor, Button, Group, Modal, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tableSchemaStandard } from '@veridict/contract/messages/table-schema'
import { saveFile } from '#lib/http/download.ts'
import { LoadFailure } from '#ui/feedback/load-failure.tsx'
import { tableSchemaQuery } from './api.ts'
import classes from './table-schema-dialog.module.css'

export type TableSchemaDialogProps = {
  dictionary: { id: number; name: string }
  isOpen: boolean
  onClose: () => void
}

/**
 * A dictionary as a Table Schema, with what other programs will do differently above the download.
 */
export function TableSchemaDialog({ dictionary, isOpen, onClose }: TableSchemaDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Export as Table Schema" size={580}>
      <p className={classes.lead}>
        A JSON file in the open standard{' '}
        <Anchor href={tableSchemaStandard} target="_blank" rel="noreferrer" inherit underline="always">
          Table Schema
        </Anchor>
        , which many other programs read. A data dictionary that is created from it here is equal to{' '}
        {dictionary.name}.
      </p>
      <Schema dictionaryId={dictionary.id} onClose={onClose} />
    </Modal>
  )
}

function Schema({ dictionaryId, onClose }: { dictionaryId: number; onClose: () => void }) {
  const schema = useQuery(tableSchemaQuery(dictionaryId))
  if (schema.isError) return <LoadFailure what="The Table Schema" query={schema} />
  return (
    <>
      <h3 className={classes.heading}>What other programs will do differently</h3>
      {schema.data === undefined ? (
        <Skeleton height={96} radius={8} role="status" aria-label="Loading" />
      ) : (
        <ul className={classes.notes} aria-label="Differences">
          {schema.data.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <Group justify="flex-end" gap={10} mt={26}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          data-autofocus
          disabled={schema.data === undefined}
          onClick={() => {
            if (schema.data !== undefined) saveFile(schema.data.file)
            onClose()
          }}
        >
          Download
        </Button>
      </Group>
    </>
  )
}
