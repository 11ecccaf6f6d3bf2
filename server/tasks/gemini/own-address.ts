import type { TaskCall } from '../define.ts'

/** Where callers find this gateway, with no slash at its end. */
export function ownAddress({ parts, incoming }: TaskCall): string {
  const address = parts.settings.get('ServerAddress').replace(/\/+$/, '')
  return address || new URL(incoming.request.url).origin
}
