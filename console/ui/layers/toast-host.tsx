import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { shellText } from '../../locales/catalogue.ts'
import { translate, useLanguage } from '../../text.ts'
import styles from './toast.module.css'
import type { ToastAction, ToastTone } from './toast.ts'

/** At once. */
const MOST = 4
let shown = 0
/** The oldest first. */
const visible = new Set<string>()
const problems = new Set<string>()
const icons = { success: CircleCheck, error: CircleAlert, warning: TriangleAlert }

export function showToast(tone: ToastTone, message: string, action?: ToastAction): void {
  const Icon = icons[tone]
  const id = `toast-${++shown}`
  makeRoom()
  visible.add(id)
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
    onClose: () => {
      visible.delete(id)
      problems.delete(id)
    },
    autoClose: action?.milliseconds ?? (tone === 'success' ? 3000 : 6000),
    closeButtonProps: { 'aria-label': translate(shellText)('action.close') },
    role: tone === 'success' ? 'status' : 'alert',
    classNames: { root: styles.root, icon: styles[tone], description: styles.text },
  })
  if (tone !== 'success') problems.add(id)
  action?.ended?.addEventListener('abort', () => notifications.hide(id))
}

/** What waited for its turn would offer to take back what has been done long since: the oldest gives way instead. */
function makeRoom(): void {
  const [oldest] = visible
  if (oldest !== undefined && visible.size >= MOST) notifications.hide(oldest)
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
  return <Notifications position="top-center" limit={MOST} className={styles.host} />
}
