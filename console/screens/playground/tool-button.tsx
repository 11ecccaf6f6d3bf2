import { ActionIcon } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import styles from './turn.module.css'

interface ToolButtonProps {
  label: string
  icon: LucideIcon
  disabled?: boolean
  onClick(): void
}

/** A small act on a message. */
export function ToolButton({ label, icon: Icon, disabled = false, onClick }: ToolButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      size={28}
      className={styles.tool}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  )
}
