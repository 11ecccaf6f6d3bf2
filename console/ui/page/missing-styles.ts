// A script that could not be loaded is asked for again, and then comes without the styles that failed with it:
// whoever asks again loads those first.

const missing = new Set<HTMLLinkElement>()

export function watchStyles(): void {
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missing.add(target)
  }
  addEventListener('error', onError, { capture: true })
}

/** Rejects while they cannot be loaded. */
export async function loadMissingStyles(): Promise<void> {
  await Promise.all([...missing].map(loadAgain))
}

function loadAgain(link: HTMLLinkElement): Promise<unknown> {
  missing.delete(link)
  const again = link.cloneNode() as HTMLLinkElement
  return new Promise((resolve, reject) => {
    again.onload = resolve
    again.onerror = reject
    link.replaceWith(again)
  })
}
