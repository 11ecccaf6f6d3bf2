import type { NotFoundRouteProps } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../ui/page/lazy-part.ts'

const NeedsRole = lazyPart(() => import('./needs-role.tsx'))

export function NotAllowed({ data }: NotFoundRouteProps) {
  return (
    <Suspense>
      <NeedsRole role={Number(data)} />
    </Suspense>
  )
}
