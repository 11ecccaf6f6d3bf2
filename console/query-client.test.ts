import { expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

test('a first answer that was on its way when something changed is not taken for the new one', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const query = {
    queryKey: ['list'],
    queryFn: () => answers[asked++]?.promise ?? Promise.reject(new Error()),
  }
  const observer = new QueryObserver(queryClient, query)
  const stop = observer.subscribe(() => {})
  const waiting = queryClient.ensureQueryData(query)
  const refreshed = queryClient.invalidateQueries({ queryKey: ['list'] })
  answers[0]?.resolve('from before')
  answers[1]?.resolve('as it is')
  await refreshed
  expect([observer.getCurrentResult().data, asked]).toEqual(['as it is', 2])
  // Who waited for the first one has the other.
  expect(await waiting).toBe('as it is')
  stop()
  queryClient.clear()
})
