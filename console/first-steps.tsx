import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { roles } from '../contract/users.ts'
import { startText } from './screens/start/catalogue.ts'
import { selfQuery } from './self.ts'
import { useUser } from './session.ts'
import { readStored, store } from './storage.ts'
import { loadText } from './text.ts'
import { lazyPart } from './ui/page/lazy-part.ts'

const OwnSteps = lazyPart(async () => {
  const [part] = await Promise.all([import('./screens/start/screen.tsx'), loadText(startText)])
  return { default: part.OwnSteps }
})

/** Pixels that they take at least, with what is under them: the page does not jump when they come. */
const ROOM = 296

/**
 * The three steps to a first call, where a user who has made none comes by. They go when they are waved away,
 * and after the call with the next page: until then its line in the log can be opened from here.
 */
export function useFirstSteps(): ReactNode | undefined {
  const user = useUser()
  const { data: self } = useQuery({ ...selfQuery(user?.id), enabled: user !== null })
  const key = `first-steps-${user?.id}`
  const [isWavedAway, setWavedAway] = useState(() => readStored(key) !== null)
  const [hasBegun, setBegun] = useState(false)
  const isNew = self !== undefined && self.role < roles.admin && self.request_count === 0
  if (isNew && !hasBegun) setBegun(true)
  if (!user || isWavedAway || !hasBegun) return undefined
  return (
    <Suspense fallback={<div style={{ height: ROOM }} />}>
      <OwnSteps
        framed
        leave={() => {
          store(key, 'skipped')
          setWavedAway(true)
        }}
      />
    </Suspense>
  )
}
