import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { StatusDocument } from '../../contract/system.ts'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'

const pages = [
  {
    text: 'userAgreement',
    to: '/user-agreement',
    isWritten: (status: StatusDocument) => status.user_agreement_enabled,
  },
  {
    text: 'privacyPolicy',
    to: '/privacy-policy',
    isWritten: (status: StatusDocument) => status.privacy_policy_enabled,
  },
] as const

/** To what a user agrees, each in a window of its own: what was typed stays. */
export function LegalLinks({ status, between = ' ' }: { status: StatusDocument; between?: string }) {
  const t = useText(shellText)
  return pages
    .filter(({ isWritten }) => isWritten(status))
    .map(({ text, to }, at) => (
      <Fragment key={to}>
        {at > 0 && between}
        <Link to={to} target="_blank">
          {t(text)}
        </Link>
      </Fragment>
    ))
}
