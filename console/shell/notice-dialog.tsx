import { Button } from '@mantine/core'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { RichContent } from '../ui/content/rich-content.tsx'
import styles from '../ui/layers/dialog.module.css'
import { Dialog } from '../ui/layers/dialog.tsx'

export default function NoticeDialog({ text, close }: { text: string; close(): void }) {
  const t = useText(shellText)
  return (
    <Dialog opened onClose={close} title={t('notice.title')} size="lg">
      <RichContent source={text} title={t('notice.title')} />
      <div className={styles.actions}>
        <Button onClick={close} data-autofocus>
          {t('notice.close')}
        </Button>
      </div>
    </Dialog>
  )
}
