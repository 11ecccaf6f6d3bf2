import { Suspense } from 'react'
import type { StatusDocument } from '../../contract/system.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { canUsePasskeys } from './passkeys.ts'
import type { ThirdPartyProps } from './third-party.tsx'
import { waysIn } from './ways-in.ts'

const ThirdParty = lazyPart(() => import('./third-party.tsx'))

/** What draws the other ways in, loaded where there are any. */
export function OtherWays(props: ThirdPartyProps) {
  if (!hasOtherWays(props.status)) return null
  return (
    <Suspense>
      <ThirdParty {...props} />
    </Suspense>
  )
}

function hasOtherWays(status: StatusDocument): boolean {
  return canUsePasskeys(status.server_address) || waysIn(status).length > 0
}
