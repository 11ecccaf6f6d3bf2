export default {
  title: '登录',
  lead: '使用你的 {name} 账户继续',
  username: '用户名或邮箱',
  password: '密码',
  submit: '登录',
  done: '登录成功！',
  incomplete: '请输入用户名和密码！',
  expired: '未登录或登录已过期，请重新登录！',
  defaultPassword: '您正在使用默认密码，请立刻修改默认密码！',
  notSetUp: '系统尚未初始化。',
  toSetup: '前往初始化',
}
