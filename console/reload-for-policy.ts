const key = 'reloaded-for-policy'

/**
 * What a page may frame and whom it may ask is fixed when it is loaded. One that was loaded before an address was
 * configured is loaded anew; where that does not help, it is left as it is. What else is refused on the page, as to an
 * extension of the browser that asks somebody each time, is no reason. Answers how to stop watching.
 */
export function reloadForPolicy(
  directive: 'frame-src' | 'connect-src',
  isWanted: (address: string) => boolean = () => true,
): () => void {
  const onRefusal = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== directive || sessionStorage.getItem(key) === blockedURI) return
    if (!isWanted(blockedURI)) return
    sessionStorage.setItem(key, blockedURI)
    location.reload()
  }
  document.addEventListener('securitypolicyviolation', onRefusal)
  return () => document.removeEventListener('securitypolicyviolation', onRefusal)
}
