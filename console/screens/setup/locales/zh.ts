export default {
  title: '初始化 {name}',
  lead: '创建超级管理员账户。',
  token: '初始化令牌',
  tokenMissing: '请输入初始化令牌',
  whereIsToken: '服务启动时会在日志中打印一个一次性链接，请打开该链接，或将其中的令牌粘贴到下方。',
  usernameHint: '1 到 12 个字符',
  submit: '创建账户',
  done: '初始化完成',
  doneTitle: '系统已完成初始化',
  doneLead: '超级管理员账户已存在，初始化链接不再有效。',
}
