import { describe, expect, test } from 'bun:test'
import { isPlain } from './is-plain.ts'

describe('what needs no purifying', () => {
  test.each([
    '',
    'words &lt;script&gt; alone',
    '<p>a <strong>b</strong><br>c <code>&lt;x&gt;</code></p>\n',
    '<p><a href="https://example.com/?a=1&amp;b=2">x</a></p>',
    '<table><thead><tr><th align="right">a</th></tr></thead></table>',
    '<h2>t</h2><ul><li>one</li></ul><hr>',
    '<span class="hljs-title function_">add</span>(a)',
  ])('%s', html => {
    expect(isPlain(html)).toBe(true)
  })

  test.each([
    '<script>alert(1)</script>',
    '<p onclick="x()">a</p>',
    '<p\nonclick="x()">a</p>',
    '<p/onclick="x()">a</p>',
    '<a href="javascript:x()">a</a>',
    '<a href="https://x" onclick="x()">a</a>',
    '<a href="https://x"onclick="x()">a</a>',
    '<a href="https://x" title="t">a</a>',
    "<a href='https://x'>a</a>",
    '<img src="https://x">',
    '<svg><p>',
    '<pre><code class="language-ts">',
    '<input type="checkbox">',
    '<td align="right" onclick="x()">',
    '<!-- <p> -->',
    '<p>a</p><',
    '<P>a',
    '<math><mi>',
    '<span class="x">',
    '<span class="hljs-a" onclick="x()">',
  ])('is not %s', html => {
    expect(isPlain(html)).toBe(false)
  })
})
