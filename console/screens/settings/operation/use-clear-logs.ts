import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { logEndpoints } from '../../../../contract/logs.ts'
import { call, messageOf } from '../../../api.ts'
import { formatCount } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { toast } from '../../../ui/layers/toast.ts'
import { operationText } from './catalogue.ts'

const WORK = 'clear-logs'
const LOOK_MS = 700

/** The server answers once it is done, or after a while though it goes on: then its progress tells the end. */
export function useClearLogs() {
  const t = useText(operationText)
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(false)
  /** How many rows an answer has named whose clearing may still go on. */
  const [cleared, setCleared] = useState<number>()
  const works = useQuery({
    queryKey: ['work'],
    queryFn: ({ signal }) => call(channelEndpoints.listWork, { signal }),
    refetchInterval: ({ state }) => (asked || state.data?.some(isClearing) ? LOOK_MS : false),
  })
  const work = works.data?.find(isClearing)

  useEffect(() => {
    if (asked || work || cleared === undefined) return
    setCleared(undefined)
    const ended = works.data?.find(({ name }) => name === WORK)
    const count = ended?.cancelled ? Math.min(cleared, ended.done) : cleared
    toast.success(t('clear.done', { count: formatCount(count) }))
  }, [asked, work, works.data, cleared, t])

  const clear = (before: number) => {
    setAsked(true)
    call(logEndpoints.clearLogs, { query: { target_timestamp: String(before) } })
      .then(async count => {
        await queryClient.invalidateQueries({ queryKey: ['work'] })
        setCleared(count)
      })
      .catch(error => toast.error(t('clear.failed', { message: messageOf(error) })))
      .finally(() => setAsked(false))
  }
  return { clear, busy: asked || work !== undefined, work }
}

function isClearing({ name, running }: { name: string; running: boolean }): boolean {
  return name === WORK && running
}
