import '@mantine/core/styles/Modal.layer.css'
import { Modal, type ModalProps } from '@mantine/core'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import styles from './dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'
import { useLayer } from './use-layer.ts'

/** Every dialog of the console; its close button has a name. */
export function Dialog(props: ModalProps) {
  const t = useText(shellText)
  const { opened, onClose, closeOnEscape = true } = props
  useFocusReturn(opened)
  useLayer(opened, { close: () => closeOnEscape && onClose() })
  return (
    <Modal
      centered
      radius="lg"
      shadow="xl"
      overlayProps={{ backgroundOpacity: 0.4 }}
      transitionProps={{ transition: 'fade', duration: 120 }}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      // It is a <header> and would count as a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      {...props}
      closeOnEscape={false}
      classNames={{
        inner: styles.inner,
        header: styles.header,
        title: styles.title,
        body: styles.body,
        content: styles.content,
      }}
    />
  )
}
