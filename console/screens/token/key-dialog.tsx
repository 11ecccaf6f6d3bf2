import type { TokenView } from '../../../contract/tokens.ts'
import { useText } from '../../text.ts'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { tokenText } from './catalogue.ts'
import styles from './token.module.css'

export function KeyDialog({ token, close }: { token: TokenView; close(): void }) {
  const t = useText(tokenText)
  return (
    <Dialog opened onClose={close} title={t('keyOf', { name: token.name })} size={560}>
      {token.key === '' ? (
        t('keyUnknown')
      ) : (
        <div className={styles.wholeKey}>
          <span>sk-{token.key}</span>
          <CopyButton text={`sk-${token.key}`} label={t('copyKey')} />
        </div>
      )}
    </Dialog>
  )
}
