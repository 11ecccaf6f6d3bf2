import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { roles } from '../../../../contract/users.ts'
import { useScreenPaths } from '../../../screen-paths.ts'
import { useText } from '../../../text.ts'
import { State } from '../../../ui/page/state.tsx'
import { playgroundText } from './catalogue.ts'

/** Nothing to talk to yet, and who can change that. */
export function NoModels({ role }: { role: number }) {
  const t = useText(playgroundText)
  const isAdmin = role >= roles.admin
  return (
    <State title={t('noModels.title')} actions={isAdmin && <ChannelsLink />}>
      {isAdmin ? t('noModels.admin') : t('noModels.user')}
    </State>
  )
}

export function ChannelsLink() {
  const t = useText(playgroundText)
  const router = useRouter()
  const screens: ReadonlySet<string> = useScreenPaths()
  if (!screens.has('/channel')) return null
  return (
    <Button size="xs" onClick={() => router.history.push('/channel')}>
      {t('noModels.channels')}
    </Button>
  )
}
