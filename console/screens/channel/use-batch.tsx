import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { readStored, store } from '../../storage.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import type { Selection } from '../../ui/table/use-selection.ts'
import { channelText } from './catalogue.ts'
import { refreshChannels } from './channels-query.ts'

const BatchTagDialog = lazyPart(() => import('./batch-tag-dialog.tsx'))
const key = 'channel-batch'

export type Batch = ReturnType<typeof useBatch>

/** Doing something with many channels at once; the switch for it is remembered. */
export function useBatch(selection: Selection) {
  const t = useText(channelText)
  const [isOn, setOn] = useState(() => readStored(key) === 'true')
  const [asked, setAsked] = useState<'delete' | 'tag'>()
  const ids = [...selection.ids].flatMap(id => (typeof id === 'number' ? id : []))
  const count = ids.length
  const { mutate } = useMutation({
    mutationFn: () => call(channelEndpoints.deleteChannels, { body: { ids } }),
    onSuccess: deleted => {
      toast.success(t('deletedCount', { count: deleted }))
      selection.clear()
      return refreshChannels()
    },
  })
  const { mutate: switchAll } = useMutation({
    mutationFn: (enable: boolean) => call(channelEndpoints.switchChannels, { body: { ids, enable } }),
    onSuccess: (switched, enable) => {
      toast.success(t(enable ? 'enabledCount' : 'disabledCount', { count: switched }))
      return refreshChannels()
    },
  })
  const dialogs = (
    <>
      <Confirm
        opened={asked === 'delete'}
        title={t('deleteSelectedTitle', { count })}
        action={t('deleteSelected')}
        destructive
        onConfirm={() => {
          mutate()
          setAsked(undefined)
        }}
        onCancel={() => setAsked(undefined)}
      >
        {t('deleteSelectedText')}
      </Confirm>
      {asked === 'tag' && (
        <Suspense>
          <BatchTagDialog ids={ids} done={selection.clear} close={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  )
  const switchSelected = (enable: boolean) =>
    count === 0 ? toast.error(t('noSelectionSwitch')) : switchAll(enable)
  const deleteSelected = () => (count === 0 ? toast.error(t('noSelectionDelete')) : setAsked('delete'))
  const setTag = () => (count === 0 ? toast.error(t('noSelectionTag')) : setAsked('tag'))
  return {
    isOn,
    toggle() {
      store(key, String(!isOn))
      setOn(!isOn)
      selection.clear()
    },
    buttons: (
      <>
        <Button size="xs" variant="default" onClick={() => switchSelected(true)}>
          {t('enable')}
        </Button>
        <Button size="xs" variant="default" onClick={() => switchSelected(false)}>
          {t('disable')}
        </Button>
        <Button size="xs" variant="default" onClick={setTag}>
          {t('setTag')}
        </Button>
        <Button
          size="xs"
          {...(count === 0 ? { variant: 'default' } : { color: 'red' })}
          onClick={deleteSelected}
        >
          {t('deleteSelected')}
        </Button>
      </>
    ),
    dialogs,
  }
}
