import type { Page } from 'playwright-core'

interface Wanted {
  /** What begins it. */
  readonly event: 'keydown' | 'click'
  /** The first element that matches, whose look is to change. */
  readonly selector: string
  /** This attribute of it; its markup when left out. */
  readonly attribute?: string
}

/** Milliseconds from the event until the first frame is painted in which the element is not what it was. */
export async function timeToPaint(page: Page, wanted: Wanted, act: () => Promise<void>): Promise<number> {
  await page.evaluate(watch, wanted)
  await act()
  return page.evaluate(() => Reflect.get(globalThis, 'untilPainted') as Promise<number>)
}

/** Runs in the page. */
function watch({ event, selector, attribute }: Wanted): void {
  const read = () => {
    const element = document.querySelector(selector)
    return attribute ? element?.getAttribute(attribute) : element?.innerHTML
  }
  const before = read()
  const painted = new Promise<number>(resolve => {
    const begin = ({ timeStamp }: Event) => {
      const look = () => {
        if (read() === before) {
          requestAnimationFrame(look)
          return
        }
        // This frame shows it; the next task comes after its paint.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - timeStamp)
        port2.postMessage(undefined)
      }
      requestAnimationFrame(look)
    }
    addEventListener(event, begin, { capture: true, once: true })
  })
  Object.assign(globalThis, { untilPainted: painted })
}
