import { Button } from '@mantine/core'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { usePageTitle } from '../../ui/page/page.tsx'
import { State } from '../../ui/page/state.tsx'

function NotFound() {
  const t = useText(shellText)
  usePageTitle(t('notFound.title'))
  return (
    <State
      sign="404"
      title={t('notFound.title')}
      actions={
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      }
    >
      {t('notFound.advice')}
    </State>
  )
}

export const screen = createLazyRoute('/$')({ component: NotFound })
