import { createLazyRoute } from '@tanstack/react-router'
import { roles } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import styles from './about.module.css'
import { aboutText } from './catalogue.ts'
import { WrittenPage } from './written-page.tsx'

function About() {
  const shell = useText(shellText)
  return (
    <WrittenPage text="about" title={shell('nav.about')}>
      <DefaultAbout />
    </WrittenPage>
  )
}

function DefaultAbout() {
  const t = useText(aboutText)
  const status = useStatus()
  return (
    <>
      <p>{t('what', { name: status?.system_name ?? '' })}</p>
      <dl className={styles.facts}>
        <dt>{t('version')}</dt>
        <dd>v{status?.version}</dd>
        <dt>{t('docs')}</dt>
        <dd>
          <a href="/api/docs">/api/docs</a>
        </dd>
        <dt>{t('licence')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
      <HowToWrite />
    </>
  )
}

function HowToWrite() {
  const t = useText(aboutText)
  if ((useUser()?.role ?? 0) < roles.root) return null
  return (
    <p className={styles.hint}>
      {t('hint')} <SettingsLink section="other.personal" />
    </p>
  )
}

/** What users agree to. There is no link to it until it has been written. */
function Agreement({ text }: { text: 'userAgreement' | 'privacyPolicy' }) {
  const shell = useText(shellText)
  return (
    <WrittenPage text={text} title={shell(text)}>
      <p>{shell('notFound.title')}</p>
      <HowToWrite />
    </WrittenPage>
  )
}

export const screen = createLazyRoute('/about')({ component: About })
export const userAgreementScreen = createLazyRoute('/user-agreement')({
  component: () => <Agreement text="userAgreement" />,
})
export const privacyPolicyScreen = createLazyRoute('/privacy-policy')({
  component: () => <Agreement text="privacyPolicy" />,
})
