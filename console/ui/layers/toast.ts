// Toasts come from anywhere, also from outside React; what draws them is loaded once the page is idle.

export type ToastTone = 'success' | 'error' | 'warning'

/** Something that can be done about what the toast says, as long as it is there. */
export interface ToastAction {
  readonly label: string
  /** How long the toast stays. */
  readonly milliseconds: number
  /** It cannot be done any longer: the toast goes too. */
  readonly ended?: AbortSignal
  act(): void
}

function show(tone: ToastTone, message: string, action?: ToastAction): void {
  import('./toast-host.tsx').then(
    ({ showToast }) => showToast(tone, message, action),
    () => {},
  )
}

export const toast = {
  success: (message: string, action?: ToastAction) => show('success', message, action),
  error: (message: string) => show('error', message),
  warning: (message: string) => show('warning', message),
}
