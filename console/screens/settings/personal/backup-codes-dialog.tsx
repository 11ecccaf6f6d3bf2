import { Button } from '@mantine/core'
import { Copy, Download } from 'lucide-react'
import { useStatus } from '../../../status.ts'
import { useText } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

/** Shown once; only their hashes are kept. */
export default function BackupCodesDialog({ codes, close }: { codes: readonly string[]; close(): void }) {
  const t = useText(personalText)
  const site = useStatus()?.system_name ?? ''
  const download = () => {
    const text = `${site} ${t('backup.title')}\n\n${codes.join('\n')}\n`
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'backup-codes.txt'
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 1000)
  }
  return (
    <Dialog
      opened
      onClose={close}
      title={t('backup.title')}
      size={440}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>{t('backup.lead')}</p>
      <ul className={styles.codes} aria-label={t('backup.title')}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={dialogStyles.actions}>
        <Button
          variant="default"
          leftSection={<Copy size={16} aria-hidden />}
          onClick={() => copyText(codes.join('\n'))}
        >
          {t('copyAll')}
        </Button>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={download}>
          {t('backup.download')}
        </Button>
        <Button onClick={close} data-autofocus>
          {t('backup.done')}
        </Button>
      </div>
    </Dialog>
  )
}
