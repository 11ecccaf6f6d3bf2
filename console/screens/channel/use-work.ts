import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { channelEndpoints } from '../../../contract/channels.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { refreshChannels } from './channels-query.ts'

const POLL_MS = 1000

export const works = { test: 'channel-test', balance: 'channel-balance' } as const
export type WorkName = (typeof works)[keyof typeof works]
export type Work = OutputOf<typeof channelEndpoints.listWork>[number]

const workQuery = queryOptions({
  queryKey: ['channels', 'work'],
  queryFn: ({ signal }) => call(channelEndpoints.listWork, { signal }),
  refetchInterval: ({ state }) => (state.data?.some(({ running }) => running) ? POLL_MS : false),
})

/** The long jobs: those that run, whoever began them, and the outcome of those that were seen running. */
export function useWork() {
  const { data } = useQuery(workQuery)
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set())
  const running = useRef<ReadonlySet<string>>(new Set())
  const known: readonly string[] = Object.values(works)
  const jobs = (data ?? []).filter(({ name }) => known.includes(name))

  useEffect(() => {
    const now = new Set((data ?? []).flatMap(({ name, running }) => (running ? name : [])))
    const hasEnded = [...running.current].some(name => !now.has(name))
    const isNew = [...now].some(name => !running.current.has(name))
    running.current = now
    if (isNew) setWatched(before => new Set([...before, ...now]))
    if (hasEnded) refreshChannels().catch(() => {})
  }, [data])

  return {
    jobs: jobs.filter(({ name, running }) => running || watched.has(name)),
    isRunning: jobs.some(({ running }) => running),
    async watch(name: WorkName) {
      // A short one may be over before anyone has looked.
      setWatched(before => new Set([...before, name]))
      await queryClient.invalidateQueries({ queryKey: workQuery.queryKey })
      await refreshChannels()
    },
    dismiss: (name: string) => setWatched(before => new Set([...before].filter(one => one !== name))),
  }
}

export function lookAtWork(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: workQuery.queryKey })
}
