import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { personalText } from './catalogue.ts'
import { Panel } from './panel.tsx'
import styles from './personal.module.css'

const DeleteDialog = lazyPart(() => import('./delete-dialog.tsx'))

export function DeletePanel({ username }: { username: string }) {
  const t = useText(personalText)
  const [open, setOpen] = useState(false)
  return (
    <Panel
      title={t('delete.title')}
      lead={t('delete.lead')}
      action={
        <Button variant="default" size="xs" className={styles.danger} onClick={() => setOpen(true)}>
          {t('delete.act')}
        </Button>
      }
    >
      {open && (
        <Suspense>
          <DeleteDialog username={username} close={() => setOpen(false)} />
        </Suspense>
      )}
    </Panel>
  )
}
