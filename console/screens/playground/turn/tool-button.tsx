import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import styles from './turn.module.css'

interface ToolButtonProps {
  label: string
  icon: LucideIcon
  disabled?: boolean
  /** Of the whole conversation, rather than of one message. */
  large?: boolean
  onClick(): void
}

/** A small act on what was said. */
export function ToolButton({ label, icon: Icon, disabled = false, large = false, onClick }: ToolButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      size={large ? 32 : 28}
      className={styles.tool}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={large ? 18 : 15} aria-hidden />
    </ActionIcon>
  )
}
