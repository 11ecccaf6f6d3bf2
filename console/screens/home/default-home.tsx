import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { shellText } from '../../locales/catalogue.ts'
import { landingPath } from '../../navigation.ts'
import { publicAddress } from '../../public-address.ts'
import { useScreenPaths } from '../../screen-paths.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { LedgerLine } from '../../ui/amounts/ledger-line.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { homeText } from './catalogue.ts'
import styles from './home.module.css'
import { snippetFor } from './snippet.ts'

const sample = { prompt: 1204, completion: 310, completionRatio: 4, modelRatio: 0.075, groupRatio: 1 }

/** What visitors see until the administrator writes a home page: the address, a first call, how it is billed. */
export function DefaultHome() {
  const t = useText(homeText)
  const status = useStatus()
  const address = publicAddress(status?.server_address)
  const snippet = snippetFor(address)
  return (
    <div className={styles.home}>
      <section className={styles.intro}>
        <h1 className={styles.headline}>{t('headline')}</h1>
        <p className={styles.lead}>{t('lead', { name: status?.system_name ?? '' })}</p>
        <div className={styles.actions}>
          <FirstStep />
          <Button component="a" href="/api/docs" variant="default">
            {t('docs')}
          </Button>
        </div>
      </section>

      <section className={styles.panel} aria-labelledby="first-call">
        <div className={styles.bar}>
          <h2 id="first-call">{t('firstCall')}</h2>
          <CopyButton text={snippet} label={t('copySnippet')} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and keys must reach that */}
        <pre className={styles.code} tabIndex={0}>
          <code>{snippet}</code>
        </pre>
        <div className={styles.address}>
          <span className={styles.term}>{t('address')}</span>
          <code>{address}</code>
          <CopyButton text={address} label={t('copyAddress')} />
        </div>
      </section>

      <section className={styles.panel} aria-labelledby="billing">
        <div className={styles.bar}>
          <h2 id="billing">{t('billing')}</h2>
        </div>
        <div className={styles.ledger}>
          <LedgerLine {...sample} quotaPerUnit={status?.quota_per_unit ?? 500_000} />
          <p className={styles.term}>{t('billingLead')}</p>
        </div>
      </section>
    </div>
  )
}

/** What this visitor most likely came to do. */
function FirstStep() {
  const t = useText(homeText)
  const shell = useText(shellText)
  const status = useStatus()
  const user = useUser()
  const landing = landingPath(user?.role ?? 0, useScreenPaths())
  if (status?.setup === false)
    return (
      <Button component={Link} to="/setup">
        {t('toSetup')}
      </Button>
    )
  if (!user)
    return (
      <>
        {status?.register_enabled && (
          <Button component={Link} to="/register">
            {shell('nav.register')}
          </Button>
        )}
        <Button component={Link} to="/login" variant={status?.register_enabled ? 'default' : 'filled'}>
          {shell('nav.login')}
        </Button>
      </>
    )
  if (landing === '/') return null
  return (
    <Button component={Link} to={landing}>
      {t('console')}
    </Button>
  )
}
