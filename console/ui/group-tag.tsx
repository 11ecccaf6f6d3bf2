import { Tag, type Tone } from './tag.tsx'

const tones: Record<string, Tone> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

/** A group by its name; the well-known ones by their colour too. */
export function GroupTag({ name }: { name: string }) {
  return <Tag tone={tones[name] ?? 'grey'}>{name || 'default'}</Tag>
}
