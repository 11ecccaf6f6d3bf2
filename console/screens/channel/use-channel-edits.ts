import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { begin, end } from './busy.ts'
import { channelText } from './catalogue.ts'
import { patchChannel } from './channels-query.ts'
import { nameFailure } from './name-failure.ts'

/** What cells change by themselves: the same functions for as long as the screen stands. */
export function useChannelEdits() {
  const t = useText(channelText)
  const { mutateAsync } = useMutation({
    mutationFn: (body: { id: number; priority?: number; weight?: number }) =>
      call(channelEndpoints.updateChannel, { body }),
    // Rows keep their places: whoever sets the priorities of a list does not want it to jump.
    onSuccess: ({ id, priority, weight }) => patchChannel(id, { priority, weight }),
  })
  const { mutate: update } = useMutation({
    mutationFn: async ({ id, name }: ChannelView) => {
      begin('balance', id)
      try {
        return await call(channelEndpoints.updateBalance, { params: { id } })
      } catch (error) {
        throw nameFailure(name, error)
      } finally {
        end('balance', id)
      }
    },
    onSuccess: ({ balance }, { id, name }) => {
      patchChannel(id, { balance, balance_updated_time: Math.floor(Date.now() / 1000) })
      toast.success(t('balanceUpdated', { name }))
    },
  })
  const saveNumber = useCallback(
    ({ id }: ChannelView, field: 'priority' | 'weight', value: number) => mutateAsync({ id, [field]: value }),
    [mutateAsync],
  )
  const refreshBalance = useCallback((channel: ChannelView) => update(channel), [update])
  return { saveNumber, refreshBalance }
}
