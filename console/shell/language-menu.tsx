import { Languages } from 'lucide-react'
import type { Language } from '../../contract/language.ts'
import { shellText } from '../locales/catalogue.ts'
import { setLanguage, useLanguage, useText } from '../text.ts'
import { MenuButton } from './menu-button.tsx'

/** Each language in its own words, so that whoever is lost in the other finds theirs. */
export const languageNames: readonly { language: Language; name: string; tag: string }[] = [
  { language: 'zh', name: '中文', tag: 'zh-CN' },
  { language: 'en', name: 'English', tag: 'en' },
]

export function LanguageMenu() {
  const t = useText(shellText)
  const current = useLanguage()
  return (
    <MenuButton
      square
      label={t('shell.language')}
      entries={languageNames.map(({ language, name, tag }) => ({
        id: language,
        label: name,
        lang: tag,
        checked: language === current,
        act: () => {
          setLanguage(language).catch(() => {})
        },
      }))}
    >
      <Languages size={18} aria-hidden />
    </MenuButton>
  )
}
