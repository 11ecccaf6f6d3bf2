import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { ApiError, call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { toast } from '../../../ui/layers/toast.ts'
import type { Draft } from '../../../ui/layers/use-draft.ts'
import { addNames, namesWithout } from './add-names.ts'
import { formText } from './catalogue.ts'
import type { ChannelDraft } from './channel-draft.ts'
import { readJsonObject } from './setting-text.ts'

/** To decide whether models go that the upstream does not have. */
const LONG_ENOUGH = 12_000

/** Asks the upstream which models it has: with the key that was typed, or else with the stored one. */
export function useFetchModels(draft: Draft<ChannelDraft>, channel: ChannelView | undefined) {
  const t = useText(formText)
  const latest = useRef(draft)
  latest.current = draft
  /** The server says why, but not of what. */
  const tellWhatFailed = (error: unknown): never => {
    if (!(error instanceof ApiError) || error.kind !== 'refused') throw error
    throw new ApiError('refused', error.status, t('fetchFailed', { reason: error.message }))
  }
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const now = new AbortController()
    leaving.current = now
    return () => now.abort()
  }, [])
  const { mutate, isPending } = useMutation({
    mutationFn: () => askFor(latest.current.values, channel).catch(tellWhatFailed),
    onSuccess: names => {
      const { values, set } = latest.current
      const next = addNames(values.models, names)
      const missing = namesWithout(values.models, names, readJsonObject(values.model_mapping) ?? {})
      const added = next.length - values.models.length
      const told = t('fetched', { count: names.length, added, missing: missing.length })
      set('models', next)
      if (missing.length === 0) return toast.success(told)
      toast.success(told, {
        label: t('dropMissing', { count: missing.length }),
        milliseconds: LONG_ENOUGH,
        ended: leaving.current.signal,
        act: () => {
          const now = latest.current
          now.set(
            'models',
            now.values.models.filter(name => !missing.includes(name)),
          )
        },
      })
    },
  })
  const fetchModels = useCallback(() => {
    if (!channel && latest.current.values.key.trim() === '') toast.error(t('keyMissing'))
    else mutate()
  }, [mutate, channel, t])
  return { fetchModels, isFetching: isPending }
}

function askFor({ type, base_url, key, other, setting }: ChannelDraft, channel: ChannelView | undefined) {
  if (channel && key.trim() === '')
    return call(channelEndpoints.fetchChannelModels, { params: { id: channel.id } })
  const asked = { id: channel?.id, type, base_url: base_url.trim(), setting, key, other, explain: true }
  return call(channelEndpoints.fetchModels, { body: asked })
}
