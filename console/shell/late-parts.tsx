import { Suspense, useState } from 'react'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { Notice } from './notice.tsx'
import { useIdle } from './use-idle.ts'

const ToastHost = lazyPart(() => import('../ui/layers/toast-host.tsx'))

/** What can wait until the first screen and its data are there. */
export function LateParts() {
  const [isTime, setTime] = useState(false)
  if (!isTime) return <Wait end={() => setTime(true)} />
  return (
    <Suspense>
      <ToastHost />
      <Notice />
    </Suspense>
  )
}

/** By itself: it is drawn anew whenever something is fetched, and the page must not be. */
function Wait({ end }: { end(): void }) {
  useIdle(end)
  return null
}
