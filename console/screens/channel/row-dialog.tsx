import { Suspense } from 'react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { loadText } from '../../text.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { formText } from './form/catalogue.ts'
import { isTagRow, type Row } from './rows.ts'

export const loadTagDialog = async () => {
  const [part] = await Promise.all([import('./form/tag-dialog.tsx'), loadText(formText)])
  return part
}
const TagDialog = lazyPart(loadTagDialog)
const TestDialog = lazyPart(() => import('./test-dialog.tsx'))

interface RowDialogProps {
  row: Row
  test(what: { channel: ChannelView; model: string }): void
  close(): void
}

/** A tag is edited in it; of a channel it asks for the model to be tested. */
export function RowDialog({ row, test, close }: RowDialogProps) {
  return (
    <Suspense>
      {isTagRow(row) ? (
        <TagDialog row={row} close={close} />
      ) : (
        <TestDialog channel={row} test={model => test({ channel: row, model })} close={close} />
      )}
    </Suspense>
  )
}
