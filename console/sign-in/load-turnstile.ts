export interface Turnstile {
  render(container: HTMLElement, options: TurnstileOptions): string | undefined
  reset(widget: string): void
  remove(widget: string): void
}

interface TurnstileOptions {
  sitekey: string
  language: string
  size: 'flexible'
  theme: 'light' | 'dark'
  callback(token: string): void
  'expired-callback'(): void
  'error-callback'(): boolean
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

/** The one script of someone else's; the page's policy names its host while the captcha is on. */
const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<Turnstile> | undefined

export function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.onload = () =>
      window.turnstile ? resolve(window.turnstile) : reject(new Error('The captcha did not start'))
    script.onerror = () => reject(new Error('The captcha could not be loaded'))
    document.head.append(script)
  }).catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
