import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { roles } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { pricingText } from './catalogue.ts'

interface NoModelsProps {
  filtered: boolean
  clear(): void
}

export function NoModels({ filtered, clear }: NoModelsProps) {
  const t = useText(pricingText)
  const shell = useText(shellText)
  const user = useUser()
  if (filtered) return <NoMatches title={t('noMatches')} clear={clear} />
  return (
    <Empty
      title={t('none')}
      actions={
        (user?.role ?? 0) >= roles.admin && (
          <Button component={Link} to="/channel" size="xs">
            {shell('nav.channel')}
          </Button>
        )
      }
    >
      {t('noneLead')}
    </Empty>
  )
}
