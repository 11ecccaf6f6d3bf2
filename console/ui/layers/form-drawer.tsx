import '@mantine/core/styles/Drawer.layer.css'
import { Button, Drawer } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { readUser } from '../../session.ts'
import { useLanguage, useText } from '../../text.ts'
import { Confirm } from './confirm.tsx'
import styles from './form-drawer.module.css'
import { useFocusReturn } from './use-focus-return.ts'
import { useLayer } from './use-layer.ts'

export interface FieldFault {
  /** The `id` of the field it belongs to. */
  readonly field: string
  readonly message: string
}

interface FormDrawerProps {
  title: string
  /** How many fields were changed; leaving then asks first. */
  changes: number
  /** What the saving button says; "save" when not given. */
  action?: string
  faults?: readonly FieldFault[]
  /** True when it was saved: the drawer then closes. A rejection has been told by its toast. Not given until there is something to save. */
  onSave?(): Promise<boolean>
  onClose(): void
  children: ReactNode
}

/** A form beside its list, with an address of its own. ⌘S saves; what was typed is not lost by a slip. */
export function FormDrawer({
  title,
  changes,
  action,
  faults = [],
  onSave,
  onClose,
  children,
}: FormDrawerProps) {
  const t = useText(shellText)
  useFocusReturn(true)
  const [saving, setSaving] = useState(false)
  const saved = useRef(false)
  const summary = useRef<HTMLDivElement>(null)
  // Not when the login has ended, where staying saves nothing.
  const isLost = () => changes > 0 && !saved.current && readUser() !== null
  const blocker = useBlocker({
    shouldBlockFn: isLost,
    enableBeforeUnload: isLost,
    withResolver: true,
  })

  const save = () => {
    if (saving || !onSave) return
    setSaving(true)
    onSave()
      .then(done => {
        saved.current = done
        if (done) onClose()
      })
      // The mutation has said why.
      .catch(() => {})
      .finally(() => {
        setSaving(false)
        requestAnimationFrame(() => summary.current?.focus())
      })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  useLayer(true, { close: onClose, save })
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={false}
      position="right"
      size={600}
      title={title}
      overlayProps={{ backgroundOpacity: 0.4 }}
      transitionProps={{ duration: 180 }}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={{
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.body,
      }}
    >
      <form className={styles.form} onSubmit={submit} noValidate autoComplete="off">
        <div className={styles.fields}>
          {faults.length > 0 && <Faults ref={summary} faults={faults} />}
          {children}
        </div>
        <div className={styles.footer}>
          <span className={styles.changes}>{changes > 0 && t('drawer.changes', { count: changes })}</span>
          <Button variant="default" size="xs" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button size="xs" type="submit" loading={saving} disabled={!onSave}>
            {action ?? t('action.save')}
          </Button>
        </div>
      </form>
      <Confirm
        opened={blocker.status === 'blocked'}
        title={t('drawer.leaveTitle')}
        action={t('drawer.leave')}
        destructive
        onConfirm={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        {t('drawer.leaveText', { count: changes })}
      </Confirm>
    </Drawer>
  )
}

/** Whoever tried to save is brought to it, however far down they are. */
function Faults({ ref, faults }: { ref: Ref<HTMLDivElement>; faults: readonly FieldFault[] }) {
  const t = useText(shellText)
  const colon = useLanguage() === 'zh' ? '：' : ': '
  return (
    <div ref={ref} className={styles.faults} role="alert" tabIndex={-1}>
      <p>{t('drawer.faults', { count: faults.length })}</p>
      <ul>
        {faults.map(({ field, message }) => (
          <li key={field}>
            <a
              href={`#${field}`}
              onClick={event => {
                event.preventDefault()
                document.getElementById(field)?.focus()
              }}
            >
              {nameOf(field, message, colon)}
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** At its field a message needs no name; in a list it does, unless it has it. */
function nameOf(field: string, message: string, colon: string): string {
  const label = document.querySelector(`label[for="${field}"]`)?.firstChild?.textContent?.trim() ?? ''
  return message.toLowerCase().includes(label.toLowerCase()) ? '' : label + colon
}
