import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import dialogStyles from '../../ui/layers/dialog.module.css'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { channelText } from './catalogue.ts'
import { refreshChannels } from './channels-query.ts'

interface BatchTagDialogProps {
  ids: readonly number[]
  done(): void
  close(): void
}

export default function BatchTagDialog({ ids, done, close }: BatchTagDialogProps) {
  const t = useText(channelText)
  const [tag, setTag] = useState('')
  const [isBlank, setBlank] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(channelEndpoints.tagChannels, { body: { ids: [...ids], tag: tag.trim() } }),
    onSuccess: async count => {
      toast.success(t('tagged', { count }))
      done()
      close()
      await refreshChannels()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (tag.trim() === '') return setBlank(true)
    mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('setTag')} size={440}>
      <form onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('tag')}
          description={t('setTagHelp', { count: ids.length })}
          data-autofocus
          maxLength={255}
          value={tag}
          error={isBlank && tag.trim() === '' ? t('tagBlank') : undefined}
          onChange={event => setTag(event.currentTarget.value)}
        />
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('setTagAction')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
