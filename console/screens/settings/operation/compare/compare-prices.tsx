import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useText } from '../../../../text.ts'
import { toast } from '../../../../ui/layers/toast.ts'
import { lazyPart } from '../../../../ui/page/lazy-part.ts'
import { operationText } from '../catalogue.ts'

const CompareDialog = lazyPart(() => import('./compare-dialog.tsx'))

interface ComparePricesProps {
  /** Something is edited and not saved, which would later be saved over the prices that are taken. */
  dirty: boolean
  onTaken(): void
}

export function ComparePrices({ dirty, onTaken }: ComparePricesProps) {
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
          <CompareDialog onTaken={onTaken} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
