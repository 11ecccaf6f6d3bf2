import type { UptimePage } from '../../../contract/panels.ts'
import { type KumaMonitor, UptimeKuma } from '../../uptime-kuma.ts'

type Beat = KumaMonitor['beats'][number]
const often = (count: number, beat: Beat): Beat[] => Array.from({ length: count }, () => beat)

/** Pages of every state: monitors that are well, that are not, that nobody asks, and a page that is away. */
export function watchServices(): UptimePage[] {
  const kuma = new UptimeKuma()
  kuma.unref()
  const failing = [...often(22, 'up'), ...often(3, 'down'), 'pending' as const, ...often(4, 'up')]
  kuma.pages = [
    {
      slug: 'models',
      groups: {
        对话: [
          { id: 1, name: 'OpenAI · gpt-4o', beats: failing, uptime: 0.9972 },
          { id: 2, name: 'Anthropic · claude-sonnet-4', beats: often(30, 'up'), uptime: 1 },
          { id: 3, name: 'DeepSeek', beats: [...often(26, 'up'), ...often(4, 'down')], uptime: 0.9431 },
        ],
        'Images and video': [
          { id: 4, name: 'Midjourney', beats: often(12, 'maintenance'), uptime: 0.8 },
          { id: 5, name: 'a monitor whose name says which region it asks from, and why', beats: [] },
        ],
      },
    },
  ]
  return [
    { categoryName: '模型服务', url: kuma.url, slug: 'models', description: '' },
    { categoryName: 'Network', url: 'http://127.0.0.1:9', slug: 'network', description: 'Lines and DNS' },
  ]
}
