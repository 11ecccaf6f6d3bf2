import { Button } from '@mantine/core'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { saveFile } from '../../ui/content/save-file.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { redemptionText } from './catalogue.ts'
import styles from './redemption.module.css'

interface CodesDialogProps {
  title: string
  name: string
  codes: readonly string[]
  close(): void
}

/** The codes themselves, to be copied or kept as a file. */
export function CodesDialog({ title, name, codes, close }: CodesDialogProps) {
  const t = useText(redemptionText)
  const text = codes.join('\n')
  return (
    <Dialog opened onClose={close} title={title} size={480}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list has to be scrolled by keyboard too */}
      <pre className={styles.codes} tabIndex={0}>
        {text}
      </pre>
      <div className={styles.actions}>
        {codes.length > 1 && (
          <Button size="xs" variant="default" onClick={() => saveFile(`${name}.txt`, text)}>
            {t('download')}
          </Button>
        )}
        <Button size="xs" onClick={() => copyText(text)}>
          {t('action.copy')}
        </Button>
      </div>
    </Dialog>
  )
}
