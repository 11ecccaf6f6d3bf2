import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fill, type Text } from '../../contract/language.ts'
import { roles } from '../../contract/users.ts'
import { shellText } from '../locales/catalogue.ts'
import { useUser } from '../session.ts'
import { useLanguage, useText } from '../text.ts'
import { usePageTitle } from '../ui/page/page.tsx'
import { State } from '../ui/page/state.tsx'

const texts = {
  admin: { zh: '需要管理员账户', en: 'Administrators only' },
  root: { zh: '需要超级管理员账户', en: 'Super administrators only' },
  lead: {
    zh: '你以 {name} 登录，该账户无权打开此页面。如需使用，请联系管理员。',
    en: 'You are logged in as {name}, and this account may not open this page. Ask an administrator if you need it.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** What an address says to those who are logged in and may not see what is there. */
export default function NeedsRole({ role }: { role: number }) {
  const t = useText(shellText)
  const language = useLanguage()
  const title = texts[role >= roles.root ? 'root' : 'admin'][language]
  usePageTitle(title)
  return (
    <State
      sign="403"
      title={title}
      actions={
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      }
    >
      {fill(texts.lead[language], { name: useUser()?.username ?? '' })}
    </State>
  )
}
