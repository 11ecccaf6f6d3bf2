const request = {
  model: 'claude-sonnet-4-6',
  stream: true,
  max_tokens: 1024,
  messages: [
    { role: 'system', content: '你是一位简洁的助手。' },
    { role: 'user', content: '用三句话介绍一下杭州，再说说什么时候去最好。' },
  ],
}

const said = '杭州以西湖闻名，湖光山色与城市相依。这里也是龙井茶的故乡，茶园就在城西的山坡上。'
const frames = Array.from(
  said,
  content => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
)

/** What the server answers of a call whose stream was too long to be kept whole. */
export const sampleContent = {
  success: true,
  message: '',
  data: {
    request_id: '0198f00d00007000800000000000beef',
    created_at: 1_763_000_000,
    request: JSON.stringify(request),
    answer: `${frames.join('')}\n\n[… 18204 bytes …]\n\n${frames.slice(-12).join('')}data: [DONE]\n\n`,
    words: `${said}春天与秋天最好：三月看桃柳，十月赏桂花。`,
    request_left_out: 0,
    answer_left_out: 18_204,
    words_left_out: 0,
  },
}
