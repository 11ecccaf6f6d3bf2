import { tellFailure } from '../../../contract/tell-failure.ts'
import type { App } from '../app.ts'
import { mailRoots } from './mail-roots.ts'
import { tellOperator } from './operator-news.ts'

interface Named {
  readonly id: number
  readonly name: string
}

interface Disabled {
  readonly channel: Named
  readonly reason: string
}

/** Tells the operator and the super administrators that a channel was taken out of service, and why. */
export async function tellOfDisabled(app: App, { channel, reason }: Disabled): Promise<void> {
  const { id, name } = channel
  const subject = `通道「${name}」（#${id}）已被禁用`
  const zh = `通道「${name}」（#${id}）已被禁用，原因：${tellFailure(reason, 'zh')}`
  const en = `Channel “${name}” (#${id}) was disabled. Reason: ${tellFailure(reason, 'en')}`
  tellOperator(app, {
    type: 'channel_update',
    title: subject,
    content: `${zh}\n${en}`,
    values: [id, name, 'disabled', reason],
  })
  await mailRoots(app, { subject, zh, en })
}

export function tellOfEnabled(app: App, { id, name }: Named): void {
  const zh = `通道「${name}」（#${id}）已恢复，重新启用`
  const en = `Channel “${name}” (#${id}) works again and was enabled.`
  const values = [id, name, 'enabled']
  tellOperator(app, { type: 'channel_update', title: zh, content: `${zh}\n${en}`, values })
}

const MOST_NAMED = 20

/** Of a test of all channels: those in service that failed. */
export function tellOfFailedTests(app: App, tested: number, failed: readonly Named[]): void {
  const names = failed.slice(0, MOST_NAMED).map(({ id, name }) => `${name} (#${id})`)
  const list = `${names.join(', ')}${failed.length > MOST_NAMED ? ', …' : ''}`
  const zh = `渠道测试完成：${tested} 个中有 ${failed.length} 个启用中的渠道失败：${list}`
  const en = `Channels were tested: of ${tested}, ${failed.length} that are in service failed: ${list}`
  tellOperator(app, {
    type: 'channel_test',
    title: `渠道测试：${failed.length} 个失败`,
    content: `${zh}\n${en}`,
    values: [tested, failed.length, ...failed.map(({ id }) => id)],
  })
}
