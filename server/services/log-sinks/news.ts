import type { LogSink } from '../../../contract/log-sinks.ts'
import type { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { mailRoots } from '../notices/mail-roots.ts'
import { tellOperator } from '../notices/operator-news.ts'
import type { Parts } from './sink.ts'

const names: Record<LogSink, { zh: string; en: string }> = {
  s3: { zh: 'S3 存储', en: 'the S3 bucket' },
  webhook: { zh: 'Webhook', en: 'the webhook' },
}

/** Once, however often it fails until it works again. */
export async function tellOfFailing(app: Parts, sink: LogSink, problem: AppError): Promise<void> {
  const title = `日志无法投递到${names[sink].zh}`
  const zh = `${title}，会继续重试，未送达的日志不会被清理。原因：${problem.text('zh')}`
  const en = `The log cannot be delivered to ${names[sink].en}. It is tried again, and what has not arrived is not cleared. Reason: ${problem.text('en')}`
  const values = [sink, 'failing', problem.text('en')]
  tellOperator(app, { type: 'log_sink', title, content: `${zh}\n${en}`, values })
  await mailRoots(app, { subject: title, zh, en }).catch(error =>
    log.warn('nobody could be told by mail that the log is not delivered', { error }),
  )
}

export function tellOfWorking(app: Parts, sink: LogSink): void {
  const zh = `日志已恢复投递到${names[sink].zh}`
  const en = `The log is delivered to ${names[sink].en} again.`
  tellOperator(app, { type: 'log_sink', title: zh, content: `${zh}\n${en}`, values: [sink, 'working'] })
}
