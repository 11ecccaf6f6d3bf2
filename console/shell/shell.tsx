import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useSyncExternalStore } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { sidebarHidden } from '../navigation.ts'
import { useTeam, useUser } from '../session.ts'
import { signInText } from '../sign-in/catalogue.ts'
import { proof } from '../sign-in/proof.ts'
import { loadText, useText } from '../text.ts'
import { manualCopy } from '../ui/content/copy.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Keyboard } from './keyboard.tsx'
import { LateParts } from './late-parts.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TeamBanner } from './team-banner.tsx'
import { useFocusOnArrival } from './use-focus-on-arrival.ts'

const ManualCopy = lazyPart(() => import('../ui/content/manual-copy.tsx'))
const ProveAgain = lazyPart(async () => {
  await loadText(signInText)
  return import('../sign-in/prove-again.tsx')
})

export function Shell() {
  const t = useText(shellText)
  const { pathname } = useLocation()
  const loggedIn = useUser() !== null
  const team = useTeam()
  useFocusOnArrival(pathname)
  const textToCopy = useSyncExternalStore(manualCopy.subscribe, manualCopy.read)
  const isProofWanted = useSyncExternalStore(proof.subscribe, proof.isWanted)
  return (
    <>
      <a href="#content" className={styles.skip}>
        {t('shell.skip')}
      </a>
      <Header />
      <ConnectionBanner />
      {team && <TeamBanner name={team.name} />}
      <div className={styles.body}>
        {!sidebarHidden(pathname, loggedIn) && <Sidebar />}
        <div className={styles.column}>
          <main id="content" tabIndex={-1} className={styles.main}>
            <Outlet key={team?.id} />
          </main>
          <Footer />
        </div>
      </div>
      <Keyboard />
      <LateParts />
      <Suspense>{textToCopy !== null && <ManualCopy text={textToCopy} />}</Suspense>
      <Suspense>{isProofWanted && <ProveAgain />}</Suspense>
    </>
  )
}
