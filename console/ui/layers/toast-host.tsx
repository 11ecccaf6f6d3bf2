import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { shellText } from '../../locales/catalogue.ts'
import { translate, useLanguage } from '../../text.ts'
import styles from './toast.module.css'
import type { ToastAction, ToastTone } from './toast.ts'

let shown = 0
const problems = new Set<string>()
const icons = { success: CircleCheck, error: CircleAlert, warning: TriangleAlert }

export function showToast(tone: ToastTone, message: string, action?: ToastAction): void {
  const Icon = icons[tone]
  const id = `toast-${++shown}`
  notifications.show({
    id,
    message: action ? (
      <span className={styles.withAction}>
        {message}
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            notifications.hide(id)
            action.act()
          }}
        >
          {action.label}
        </button>
      </span>
    ) : (
      message
    ),
    icon: <Icon size={18} aria-hidden />,
    onClose: () => problems.delete(id),
    autoClose: action?.milliseconds ?? (tone === 'success' ? 3000 : 6000),
    closeButtonProps: { 'aria-label': translate(shellText)('action.close') },
    role: tone === 'success' ? 'status' : 'alert',
    classNames: { root: styles.root, icon: styles[tone], description: styles.text },
  })
  if (tone !== 'success') problems.add(id)
  action?.ended?.addEventListener('abort', () => notifications.hide(id))
}

// Whoever sends a form again has read what was wrong with it, and would find it beside what comes of it now.
addEventListener(
  'submit',
  () => {
    for (const id of problems) notifications.hide(id)
  },
  true,
)

export default function ToastHost() {
  useLanguage()
  return <Notifications position="top-center" limit={4} className={styles.host} />
}
