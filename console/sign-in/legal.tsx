import { Suspense } from 'react'
import type { StatusDocument } from '../../contract/system.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'

const LegalRow = lazyPart(() => import('./legal-row.tsx'))

/** Whether there is anything that a user agrees to. Most have nothing, so what draws it is loaded where there is. */
export function hasLegalPages(status: StatusDocument | undefined): status is StatusDocument {
  return status?.user_agreement_enabled === true || status?.privacy_policy_enabled === true
}

/** Links to it, below a form that asks for no consent. */
export function LegalPages({ status }: { status: StatusDocument | undefined }) {
  if (!hasLegalPages(status)) return null
  return (
    <Suspense fallback={<div data-loading style={{ height: 20 }} />}>
      <LegalRow status={status} />
    </Suspense>
  )
}
