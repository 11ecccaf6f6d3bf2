import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { useText } from '../../text.ts'
import { logText } from './catalogue.ts'
import styles from './log.module.css'

export function RefreshButton({ refresh }: { refresh(): unknown }) {
  const t = useText(logText)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCw size={14} aria-hidden />}
      onClick={() => refresh()}
    >
      {t('refresh')}
    </Button>
  )
}

/** All that the filters let through, not only this page. */
export function ExportButton({ address }: { address: string }) {
  return (
    <Button
      component="a"
      href={address}
      download
      size="xs"
      variant="default"
      leftSection={<Download size={14} aria-hidden />}
    >
      CSV
    </Button>
  )
}

/** A log that is watched live begins with the newest; this goes back. */
export function OlderRows({ load }: { load(): Promise<unknown> }) {
  const t = useText(logText)
  const older = useMutation({ mutationFn: load })
  return (
    <div className={styles.older}>
      <Button size="xs" variant="default" loading={older.isPending} onClick={() => older.mutate()}>
        {t('loadOlder')}
      </Button>
    </div>
  )
}
