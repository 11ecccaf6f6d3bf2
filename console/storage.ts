// The browser may refuse storage (private windows, full disks); the console then works without a memory.

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {}
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {}
}

/** A stored JSON object; null when there is none or it cannot be read. */
export function readStoredObject(key: string): object | null {
  const text = readStored(key)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
