import { Link } from '@tanstack/react-router'
import { type SectionId, type SectionTab, sections } from '../../../contract/settings/sections.ts'
import { roles } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useLanguage, useText } from '../../text.ts'

/** Where something waits for a setting: the way there, for whoever may change it. */
export function SettingsLink({ section }: { section: SectionId }) {
  const language = useLanguage()
  const t = useText(shellText)
  if ((useUser()?.role ?? 0) < roles.root) return null
  const [tab] = section.split('.') as [SectionTab]
  return (
    <Link to="/setting" search={{ tab }} hash={section}>
      {t('nav.setting')} → {sections[section][language]}
    </Link>
  )
}
