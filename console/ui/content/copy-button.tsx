import { ActionIcon } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { copyText } from './copy.ts'

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useText(shellText)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    copyText(text).then(setCopied, () => {})
  }
  return (
    <ActionIcon variant="subtle" size={32} aria-label={label ?? t('action.copy')} onClick={copy}>
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    </ActionIcon>
  )
}
