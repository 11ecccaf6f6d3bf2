import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints, channelStatuses } from '../../../contract/channels.ts'
import { ApiError, call, isMissing, messageOf } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { toast } from '../../ui/layers/toast.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { begin, end } from './busy.ts'
import { channelText } from './catalogue.ts'
import { patchChannel, refreshChannels } from './channels-query.ts'
import { nameFailure } from './name-failure.ts'
import { endRest, restsIn, restText } from './rests.ts'
import { isOn, isTagRow, namesIn, type Row, type TagRow } from './rows.ts'
import type { RestsById } from './use-rests.ts'

/** A menu has at most so many models; the others are found in a dialog. */
const MENU_MODELS = 30
/** How far back the log of a channel is opened, in seconds. */
const WEEK = 604_800

interface ActionParts {
  readonly rests: RestsById | undefined
  editTag(row: TagRow): void
  pickModel(channel: ChannelView): void
}

/** What can be done with a channel, and with all channels of a tag. */
export function useChannelActions({ rests, editTag, pickModel }: ActionParts) {
  const t = useText(channelText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const { mutate: update } = useMutation({
    mutationFn: (body: { id: number; status: number }) => call(channelEndpoints.updateChannel, { body }),
    onSuccess: ({ id, status, other_info }) => {
      patchChannel(id, { status, other_info })
      toast.success(t('done'))
    },
  })
  const { mutate: switchTag } = useMutation({
    mutationFn: ({ tag, on }: { tag: string; on: boolean }) =>
      call(on ? channelEndpoints.enableTag : channelEndpoints.disableTag, { body: { tag } }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshChannels()
    },
  })
  const { mutate: wake } = useMutation({ mutationFn: ({ id }: ChannelView) => endRest(id) })
  const test = useTest()
  const open = (channel: ChannelView) =>
    navigate({ to: '/channel/edit/$id', params: { id: String(channel.id) }, search: true })

  const copy = async (channel: ChannelView) => {
    try {
      await call(channelEndpoints.copyChannel, {
        params: { id: channel.id },
        query: { suffix: t('copySuffix') },
      })
      toast.success(t('copied'))
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'logged-out') return
      toast.error(isMissing(error) ? t('missing') : t('copyFailed', { reason: messageOf(error) }))
    }
    await refreshChannels()
  }

  const models = (channel: ChannelView) => (): RowAction[] => {
    const names = namesIn(channel.models)
    const more = names.length > MENU_MODELS
    return [
      { id: ' default', label: t('defaultModel'), act: () => test({ channel }) },
      ...names
        .slice(0, MENU_MODELS)
        .map(model => ({ id: model, label: model, act: () => test({ channel, model }) })),
      ...(more
        ? [{ id: ' all', label: t('allModels', { count: names.length }), act: () => pickModel(channel) }]
        : []),
    ]
  }

  const ofTag = (row: TagRow): RowAction[] => [
    {
      id: 'enable',
      label: t('enableAll'),
      inline: true,
      act: () => switchTag({ tag: row.tag, on: true }),
    },
    {
      id: 'disable',
      label: t('disableAll'),
      inline: true,
      act: () => switchTag({ tag: row.tag, on: false }),
    },
    { id: 'edit', label: t('edit'), inline: true, act: () => editTag(row) },
  ]

  const ofChannel = (channel: ChannelView): RowAction[] => {
    const status = isOn(channel) ? channelStatuses.disabledByHand : channelStatuses.enabled
    return [
      { id: 'test', label: t('test'), inline: true, act: () => test({ channel }), menu: models(channel) },
      {
        id: 'toggle',
        label: isOn(channel) ? t('disable') : t('enable'),
        otherLabel: isOn(channel) ? t('enable') : t('disable'),
        inline: true,
        act: () => update({ id: channel.id, status }),
      },
      { id: 'edit', label: t('edit'), act: () => open(channel) },
      {
        id: 'logs',
        label: shell('nav.log'),
        act: () => navigate({ to: '/log', search: { channel: channel.id, start: -WEEK } }),
      },
      ...(isOn(channel) && (rests ? rests[channel.id] : restsIn(channel))
        ? [{ id: 'wake', label: restText('end'), act: () => wake(channel) }]
        : []),
      { id: 'copy', label: t('action.copy'), act: () => copy(channel) },
      {
        id: 'delete',
        label: t('delete'),
        destructive: true,
        act: () =>
          deleteLater({
            kind: 'channel',
            ids: [channel.id],
            message: t('deleted', { name: channel.name }),
            commit: () => call(channelEndpoints.deleteChannel, { params: { id: channel.id } }),
            done: refreshChannels,
          }),
      },
    ]
  }
  return { open, test, actions: (row: Row) => (isTagRow(row) ? ofTag(row) : ofChannel(row)) }
}

/** Tests one channel; how long it took is stored even when it failed. */
function useTest() {
  const t = useText(channelText)
  const { mutate } = useMutation({
    mutationFn: async ({ channel, model }: { channel: ChannelView; model?: string }) => {
      begin('test', channel.id)
      try {
        return await call(channelEndpoints.testChannel, {
          params: { id: channel.id },
          query: model === undefined ? {} : { model },
        })
      } catch (error) {
        throw nameFailure(channel.name, error)
      } finally {
        end('test', channel.id)
      }
    },
    onSuccess: ({ time }, { channel }) =>
      toast.success(t('tested', { name: channel.name, time: time.toFixed(2) })),
    onSettled: () => refreshChannels(),
  })
  return mutate
}
