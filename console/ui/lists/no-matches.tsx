import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { Empty } from '../table/empty.tsx'

interface NoMatchesProps {
  title: string
  clear(): void
  /** What else would show more. */
  children?: ReactNode
}

/** Stands where rows would be that the filters leave out. */
export function NoMatches({ title, clear, children }: NoMatchesProps) {
  const t = useText(shellText)
  return (
    <Empty
      title={title}
      actions={
        <>
          {children}
          <Button size="xs" variant="default" onClick={clear}>
            {t('filter.clear')}
          </Button>
        </>
      }
    />
  )
}
