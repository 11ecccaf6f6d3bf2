import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useText } from '../../../../text.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { toast } from '../../../../ui/toast.ts'
import { operationText } from '../catalogue.ts'

const CompareDialog = lazyPart(() => import('./compare-dialog.tsx'))

/** `dirty`: something is edited and not saved, which would later be saved over the prices that are taken. */
export function ComparePrices({ dirty }: { dirty: boolean }) {
  const t = useText(operationText)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => (dirty ? toast.warning(t('compare.saveFirst')) : setOpened(true))}
      >
        {t('compare.action')}
      </Button>
      {opened && (
        <Suspense>
          <CompareDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
