import { Button } from '@mantine/core'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { useText } from '../../text.ts'
import { usePageTitle } from '../../ui/page.tsx'
import { State } from '../../ui/state.tsx'
import { notFoundText } from './catalogue.ts'

function NotFound() {
  const t = useText(notFoundText)
  usePageTitle(t('title'))
  return (
    <State
      sign="404"
      title={t('title')}
      actions={
        <Button component={Link} to="/">
          {t('home')}
        </Button>
      }
    >
      {t('advice')}
    </State>
  )
}

export const screen = createLazyRoute('/$')({ component: NotFound })
