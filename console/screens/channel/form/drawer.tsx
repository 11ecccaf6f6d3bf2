import { useMutation, useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { roles } from '../../../../contract/users.ts'
import { ApiError, call, isMissing } from '../../../api.ts'
import { formatTime } from '../../../format.ts'
import { queryClient } from '../../../query-client.ts'
import { useUser } from '../../../session.ts'
import { useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { FormDrawer } from '../../../ui/layers/form-drawer.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { useCloseDrawer } from '../../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../../ui/layers/use-draft.ts'
import { useFocusReturn } from '../../../ui/layers/use-focus-return.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { refreshChannels } from '../channels-query.ts'
import { fallOf } from '../rows.ts'
import { Advanced } from './advanced.tsx'
import { Basics } from './basics.tsx'
import { formText } from './catalogue.ts'
import { type ChannelDraft, draftOf, type Faults, faultsOf, fieldsOf, newChannel } from './channel-draft.ts'
import { RestNote } from './rest-note.tsx'
import { usePreset } from './use-preset.ts'

function AddDrawer() {
  return <ChannelForm channel={undefined} />
}

function EditDrawer() {
  const t = useText(formText)
  const { id } = editDrawer.useParams()
  const close = useCloseDrawer('/channel')
  const { data, error, refetch } = useQuery({
    queryKey: ['channels', 'one', id],
    queryFn: ({ signal }) => call(channelEndpoints.getChannel, { params: { id }, signal }),
    gcTime: 0,
  })
  // By the time there is a form, the focus is in the drawer that waits for it.
  useFocusReturn(true)
  if (data) return <ChannelForm key={data.id} channel={data} />
  return (
    <FormDrawer title={t('editTitle')} changes={0} onClose={close}>
      {isMissing(error) ? (
        <Callout tone="error">{t('missing')}</Callout>
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <Skeleton rows={7} />
      )}
    </FormDrawer>
  )
}

const advancedFields: readonly (keyof ChannelDraft)[] = [
  ...(['model_mapping', 'status_code_mapping', 'setting', 'priority', 'weight'] as const),
  ...(['rpm', 'tpm', 'concurrency'] as const),
]

function ChannelForm({ channel }: { channel: ChannelView | undefined }) {
  const t = useText(formText)
  const close = useCloseDrawer('/channel')
  const isRoot = (useUser()?.role ?? 0) >= roles.root
  const presetOf = usePreset()
  const draft = useDraft(
    channel ? draftOf(channel) : { ...newChannel, models: presetOf(newChannel.type) },
    'channel',
  )
  const [tried, setTried] = useState(false)
  const [isKeyAsked, setKeyAsked] = useState(false)
  // What the server has against these settings, as long as they stay as they are.
  const [refused, setRefused] = useState<{ setting: string; message: string }>()
  const isRefused = refused?.setting === draft.values.setting
  const check = (): Faults => faultsOf(draft.values, { before: channel, isRoot })
  const faults: Faults = {
    ...(tried ? check() : {}),
    ...(isKeyAsked && draft.values.key.trim() === '' ? { key: { word: 'keyAgain' } } : {}),
    ...(isRefused ? { setting: { word: 'settingWrong' } } : {}),
  }
  const fault = (field: keyof ChannelDraft) => {
    if (field === 'setting' && isRefused) return refused?.message
    const found = faults[field]
    return found && t(found.word, found.values)
  }
  const { mutateAsync } = useMutation({
    mutationFn: () => save(channel, draft.values, field => !channel || draft.isChanged(field)),
    onError: error => {
      const message = error instanceof ApiError ? error.message : ''
      setKeyAsked(message === t('keyAgain'))
      const { setting } = draft.values
      if (/^(param_override|header_override|cost_ratio)/.test(message) || message === t('settingWrong'))
        setRefused({ setting, message })
    },
  })
  const onSave = async () => {
    setTried(true)
    if (Object.keys(check()).length > 0) return false
    const count = await mutateAsync()
    toast.success(channel ? t('updated') : count > 1 ? t('createdMany', { count }) : t('created'))
    queryClient.removeQueries({ queryKey: ['channels', 'one'] })
    // Not waited for: what is saved may be left at once.
    refreshChannels().catch(() => {})
    return true
  }
  const fall = channel && fallOf(channel)
  return (
    <FormDrawer
      title={channel ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={channel ? t('action.save') : t('create')}
      faults={listFaults(faults, fault)}
      onSave={onSave}
      onClose={close}
    >
      {fall && (
        <Callout tone="warning">
          {t('fallen', { reason: fall.reason || '–', time: formatTime(fall.time) })}
        </Callout>
      )}
      {channel && <RestNote channel={channel} />}
      <Basics draft={draft} channel={channel} fault={fault} />
      <Advanced
        draft={draft}
        channel={channel}
        fault={fault}
        forced={advancedFields.some(field => faults[field] !== undefined)}
      />
    </FormDrawer>
  )
}

/** What two fields share is said once. */
function listFaults(faults: Faults, fault: (field: keyof ChannelDraft) => string | undefined) {
  const byMessage = new Map<string, string>()
  for (const field of Object.keys(faults) as (keyof ChannelDraft)[]) {
    const message = fault(field)
    if (message !== undefined && !byMessage.has(message)) byMessage.set(message, field)
  }
  return [...byMessage].map(([message, field]) => ({ field: `channel-${field}`, message }))
}

/** How many channels were made or changed. */
async function save(
  channel: ChannelView | undefined,
  draft: ChannelDraft,
  isSent: (field: keyof ChannelDraft) => boolean,
): Promise<number> {
  const fields = fieldsOf(draft, isSent)
  if (channel) {
    await call(channelEndpoints.updateChannel, { body: { ...fields, id: channel.id } })
    return 1
  }
  const mode = draft.isBatch ? (draft.isTogether ? 'multi_to_single' : 'batch') : 'single'
  const { ids } = await call(channelEndpoints.createChannels, { body: { ...fields, mode } })
  return ids.length
}

export const addDrawer = createLazyRoute('/channel/add')({ component: AddDrawer })
export const editDrawer = createLazyRoute('/channel/edit/$id')({ component: EditDrawer })
