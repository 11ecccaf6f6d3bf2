// Toasts come from anywhere, also from outside React; what draws them is loaded once the page is idle.

export type ToastTone = 'success' | 'error' | 'warning'

function show(tone: ToastTone, message: string): void {
  import('./toast-host.tsx').then(
    ({ showToast }) => showToast(tone, message),
    () => {},
  )
}

export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  warning: (message: string) => show('warning', message),
}
