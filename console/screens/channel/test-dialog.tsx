import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import dialogStyles from '../../ui/layers/dialog.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { channelText } from './catalogue.ts'
import { namesIn } from './rows.ts'

interface TestDialogProps {
  channel: ChannelView
  test(model: string): void
  close(): void
}

/** One of more models than a menu can hold. */
export default function TestDialog({ channel, test, close }: TestDialogProps) {
  const t = useText(channelText)
  const [models] = useState(() => namesIn(channel.models))
  const [model, setModel] = useState<string | null>(null)
  return (
    <Dialog opened onClose={close} title={t('testModel', { name: channel.name })} size={440}>
      <SelectField label={t('testModelPick')} data={models} value={model} onChange={setModel} />
      <div className={dialogStyles.actions}>
        <Button
          disabled={model === null}
          onClick={() => {
            if (model !== null) test(model)
            close()
          }}
        >
          {t('testStart')}
        </Button>
      </div>
    </Dialog>
  )
}
