import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { Dialog } from '../ui/layers/dialog.tsx'
import { useJumps } from './jumps.ts'
import { closeOverlay } from './overlays.ts'
import styles from './palette.module.css'

export default function KeyList() {
  const t = useText(shellText)
  const jumps = useJumps()
  const apple = /Mac|iPhone|iPad/.test(navigator.userAgent)
  const command = apple ? '⌘' : 'Ctrl'
  const general = [
    [t('keys.palette'), `${command} K`],
    [t('keys.save'), `${command} S`],
    [t('keys.search'), '/'],
    [t('keys.rows'), 'j / k'],
    [t('keys.open'), 'Enter'],
    [t('keys.select'), 'x'],
    [t('keys.title'), '?'],
  ] as const
  return (
    <Dialog opened onClose={closeOverlay} title={t('keys.title')} size={440}>
      <dl className={styles.list}>
        {general.map(([label, keys]) => (
          <Row key={keys} label={label} keys={keys} />
        ))}
      </dl>
      <h3 className={styles.heading}>{t('keys.goTo')}</h3>
      <dl className={styles.list}>
        {jumps.map(({ letter, label }) => (
          <Row key={letter} label={label} keys={`g ${letter}`} />
        ))}
      </dl>
    </Dialog>
  )
}

function Row({ label, keys }: { label: string; keys: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <kbd className={styles.key}>{keys}</kbd>
      </dd>
    </>
  )
}
