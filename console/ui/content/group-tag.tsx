import { Tag, type Tone } from './tag.tsx'

const tones: Record<string, Tone> = { vip: 'yellow', pro: 'yellow', svip: 'red', premium: 'red' }

/** So many letters fit wherever a group stands. */
const SHORT = 8

/** A group by its name; the well-known ones by their colour too. */
export function GroupTag({ name }: { name: string }) {
  const title = name.length > SHORT ? { title: name } : {}
  return (
    <Tag tone={tones[name] ?? 'grey'} {...title}>
      {name || 'default'}
    </Tag>
  )
}
