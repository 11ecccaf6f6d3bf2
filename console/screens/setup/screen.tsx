import { Button } from '@mantine/core'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { AuthCard } from '../../ui/page/auth-card.tsx'
import { ScreenSkeleton } from '../../ui/page/skeleton.tsx'
import { setupText } from './catalogue.ts'
import { SetupForm } from './setup-form.tsx'

function Setup() {
  const t = useText(setupText)
  const token = useTokenFromLink()
  const status = useStatus()
  if (!status) return <ScreenSkeleton />
  if (status.setup)
    return (
      <AuthCard title={t('doneTitle')} lead={t('doneLead')}>
        <Button component={Link} to="/login" fullWidth>
          {t('toLogin')}
        </Button>
      </AuthCard>
    )
  return (
    <AuthCard title={t('title', { name: status.system_name })} lead={t('lead')}>
      <SetupForm token={token} />
    </AuthCard>
  )
}

/** The token is taken out of the address bar, where histories and shoulders would find it. */
function useTokenFromLink(): string {
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [token] = useState(search.token ?? '')
  useEffect(() => {
    if (search.token !== undefined) navigate({ to: '/setup', search: {}, replace: true }).catch(() => {})
  }, [search.token, navigate])
  return token
}

export const screen = createLazyRoute('/setup')({ component: Setup })
