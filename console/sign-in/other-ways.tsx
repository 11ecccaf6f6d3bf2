import { Suspense } from 'react'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { canUsePasskeys } from './passkeys.ts'
import type { ThirdPartyProps } from './third-party.tsx'
import { waysIn } from './ways-in.ts'

const ThirdParty = lazyPart(() => import('./third-party.tsx'))

/** What draws the other ways in, loaded where there are any. */
export function OtherWays(props: ThirdPartyProps) {
  const count = countWays(props)
  if (count === 0) return null
  return (
    <Suspense fallback={<Room count={count} below={props.below} />}>
      <ThirdParty {...props} />
    </Suspense>
  )
}

/**
 * What they will take, so that nothing below them moves when they come. Said here: their styles come with them.
 */
function Room({ count, below }: { count: number; below: boolean }) {
  const [line, button, gap, between] = [28, 40, 8, 16]
  const rows = Math.ceil(count / 2)
  return <div data-loading style={{ height: rows * (button + gap) - gap + (below ? line + between : 0) }} />
}

function countWays({ status, purpose }: ThirdPartyProps): number {
  const passkeys = purpose === 'login' && canUsePasskeys(status.server_address) ? 1 : 0
  return passkeys + waysIn(status, purpose).length
}
