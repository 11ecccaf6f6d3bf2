import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications } from '@mantine/notifications'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { shellText } from '../locales/catalogue.ts'
import { translate, useLanguage } from '../text.ts'
import styles from './toast.module.css'
import type { ToastTone } from './toast.ts'

const icons = { success: CircleCheck, error: CircleAlert, warning: TriangleAlert }

export function showToast(tone: ToastTone, message: string): void {
  const Icon = icons[tone]
  notifications.show({
    message,
    icon: <Icon size={18} aria-hidden />,
    autoClose: tone === 'success' ? 3000 : 6000,
    closeButtonProps: { 'aria-label': translate(shellText)('action.close') },
    role: tone === 'success' ? 'status' : 'alert',
    classNames: { root: styles.root, icon: styles[tone], description: styles.text },
  })
}

export default function ToastHost() {
  useLanguage()
  return <Notifications position="top-center" limit={4} className={styles.host} />
}
